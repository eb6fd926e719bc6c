// The official TypeScript SDK's client against the real `kiroku mcp`: a client that we did not write. It checks every
// structured answer against the tool's output schema by itself, and fails the call if it does not fit.
//
// node client.mjs SCENARIO, with {"kiroku", "space", "args"} as JSON in the variable KIROKU_TEST; prints
// {"ok": true, …} or {"ok": false, "error"} on standard output and nothing anywhere else.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";

const { kiroku, space } = JSON.parse(process.env.KIROKU_TEST);
const member = ["--as", "m1"];

/** What a server process of one of these scenarios is told of the machine: the test's own home and nothing else. */
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => name !== "KIROKU_TEST"));

async function connect(...args) {
  return connectBy(kiroku, ["--space", space, "mcp", ...args]);
}

async function connectBy(command, args) {
  const transport = new StdioClientTransport({ command, args, env, cwd: process.cwd(), stderr: "pipe" });
  const client = new Client({ name: "kiroku-tests", version: "1.0.0" });
  client.log = "";
  transport.stderr.on("data", (text) => (client.log += text));
  await client.connect(transport);
  // So that the client knows what to check the answers against.
  client.tools = (await client.listTools()).tools;
  return client;
}

/** Calls a tool, and answers its structured content. */
async function call(client, name, input = {}, isError = false) {
  const result = await client.callTool({ name, arguments: input });
  const shown = `${name} ${JSON.stringify(input)}: ${JSON.stringify(result)}`;
  assert.equal(result.isError, isError, shown);
  assert.equal(result.content[0].type, "text", shown);
  assert.ok(result.content[0].text.length > 0, shown);
  return result.structuredContent;
}

/** Runs `kiroku` with this input, as another process than any server. */
async function another(args, input) {
  const child = spawn(kiroku, ["--space", space, ...args], { env, stdio: ["pipe", "pipe", "pipe"] });
  let said = "";
  child.stdout.on("data", (text) => (said += text));
  child.stderr.on("data", (text) => (said += text));
  child.stdin.end(JSON.stringify(input));
  const status = await new Promise((done) => child.on("close", done));
  assert.equal(status, 0, said);
}

const item = (content, fields = {}) => ({ content, status: "pending", activeForm: `Doing ${content}`, ...fields });

const decision = (body, fields = "status: open") =>
  `---\ncreated_at: 2026-06-20T10:00:00Z\nupdated_at: 2026-06-20T10:00:00Z\nsources: []\n${fields}\n---\n${body}\n`;

const scenarios = {
  /** Every tool by its name, with good input and bad. */
  async tools() {
    const client = await connect(...member, "--task", "1");
    const bad = {
      SearchWorkspaceTasks: { query: "a", limit: 1000 },
      ListWorkspaceTasks: { state: "half" },
      SearchTaskConversation: { query: "a", around_ref: "comment:1" },
      ReadTaskConversation: { around_ref: "88" },
      MissionUpdate: { remove: "all" },
      MissionRead: { nonsense: 1 },
      MemorySearch: {},
      KnowledgeSearch: { query: "" },
      MemoryRead: { kind: "decision", slug: "../../etc/passwd" },
      MemoryWrite: { kind: "decision", slug: "wrong", content: decision("x", "status: maybe") },
      MemoryEdit: { kind: "decision", slug: "keep-cookies", old_string: "none such", new_string: "x" },
      MemoryDelete: { kind: "decision", slug: "none-such" },
      task_write: { tasks: [item("a", { status: "done" })] },
      task_update: { id: "a" },
      task_complete: {},
      task_check: [],
    };
    assert.deepEqual(client.tools.map((tool) => tool.name).sort(), Object.keys(bad).sort());
    for (const tool of client.tools) {
      assert.ok(tool.description && tool.outputSchema && tool.annotations, tool.name);
    }

    const found = await call(client, "SearchWorkspaceTasks", { query: "認証 none", context: 1 });
    assert.equal(found.hits[0].task.ref, "task:2");
    const ref = found.hits[0].ref;
    const around = await call(client, "SearchWorkspaceTasks", { around_ref: ref });
    assert.ok(around.comments.some((comment) => comment.is_target));
    assert.equal((await call(client, "ListWorkspaceTasks", { state: "open" })).tasks.length, 1);
    assert.equal((await call(client, "SearchTaskConversation", { query: "別の話" })).total, 1);
    assert.equal((await call(client, "ReadTaskConversation", { limit: 1 })).comments.length, 1);
    assert.equal((await call(client, "ReadTaskConversation", { around_ref: "comment:1" })).comments.length, 1);
    await call(client, "MissionUpdate", { user_constraints: [{ text: "UI だけ", ref: "comment:1" }] });
    assert.equal((await call(client, "MissionRead")).user_constraints.length, 1);

    const record = { kind: "decision", slug: "keep-cookies" };
    const made = await call(client, "MemoryWrite", { ...record, content: decision("Cookie のまま"), create_only: true });
    assert.equal(made.created, true);
    const hits = await call(client, "MemorySearch", { query: "cookie の" });
    const read = await call(client, "MemoryRead", hits.hits[0].ref);
    assert.equal(read.hash, made.hash);
    await call(client, "MemoryEdit", { ...record, old_string: "のまま", new_string: "を使う", base: read.hash });
    const stale = await call(client, "MemoryDelete", { ...record, base: read.hash }, true);
    assert.equal(stale.error.code, "conflict");
    await call(client, "KnowledgeSearch", { query: "x", kind: "procedure" });

    const list = await call(client, "task_write", { tasks: [item("調べる", { id: "a", status: "in_progress" }), item("b")] });
    assert.deepEqual(list.tasks.map((known) => known.id), ["a", "task_b"]);
    await call(client, "task_update", { id: "task_b", status: "in_progress" });
    await call(client, "task_complete", { id: "a" });
    assert.equal((await call(client, "task_check")).summary.completed, 1);
    const unknown = await call(client, "task_complete", { id: "none" }, true);
    assert.ok(unknown.isError && unknown.content.includes("task_b"));

    for (const [name, input] of Object.entries(bad)) {
      if (Array.isArray(input)) {
        // Arguments that are no object are no request of the protocol.
        await assert.rejects(client.callTool({ name, arguments: input }), name);
      } else {
        const rejected = await call(client, name, input, true);
        assert.ok(rejected.error.code && rejected.error.message, name);
      }
    }
    assert.equal((await call(client, "task_check")).summary.completed, 1);
    await assert.rejects(client.callTool({ name: "task_wirte", arguments: {} }), /task_write/);
    await call(client, "MemoryDelete", record);
    await client.close();
  },

  /** Out of their scope tools answer as the contract says: it is an answer and no error. */
  async scope() {
    const whole = { SearchWorkspaceTasks: { query: "認証" }, ListWorkspaceTasks: {} };
    const own = { SearchTaskConversation: { query: "話" }, ReadTaskConversation: {}, MissionRead: {}, MissionUpdate: {} };
    const memory = { MemorySearch: { query: "x" }, KnowledgeSearch: { query: "x" }, MemoryRead: { kind: "summary" } };
    for (const [args, closed] of [
      [[], { ...whole, ...own, ...memory }],
      [["--as", "stranger", "--task", "1"], { ...whole, ...own, ...memory }],
      [[...member], own],
      [[...member, "--task", "1", "--subtask"], whole],
    ]) {
      const client = await connect(...args);
      for (const [name, input] of Object.entries(closed)) {
        const answer = await call(client, name, input);
        assert.equal(answer.available, false, `${name} for ${args}`);
        assert.match(answer.message, /not available in this context/);
      }
      await client.close();
    }
    for (const args of [[], ["--thread", "t"], [...member]]) {
      const client = await connect(...args);
      for (const [name, input] of [["task_write", { tasks: [item("a")] }], ["task_check", {}]]) {
        const answer = await call(client, name, input, true);
        assert.ok(answer.isError && answer.tasks.length === 0, args.join(" "));
        assert.match(answer.content, /memory-backed thread/);
      }
      await client.close();
    }
  },

  /** Resources, and being told of what another process writes. */
  async resources() {
    const client = await connect(...member, "--thread", "own", "--resource", "m1");
    const own = "kiroku://threads/own/tasks";
    const knowledge = "kiroku://knowledge/tax-rounding";
    const waiting = new Map();
    client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => waiting.get(params.uri)?.());
    const updated = (uri) => new Promise((done) => waiting.set(uri, done));
    const read = async (uri) => (await client.readResource({ uri })).contents[0].text;

    const listed = (await client.listResources()).resources.map((resource) => resource.uri);
    for (const uri of [own, knowledge, "kiroku://memory/summary", "kiroku://memory/resident"]) {
      assert.ok(listed.includes(uri), `${uri} in ${listed}`);
    }
    assert.equal((await client.listResourceTemplates()).resourceTemplates.length, 2);
    assert.match(await read(knowledge), /丸める/);
    assert.match(await read("kiroku://memory/summary"), /要約/);
    assert.equal(await read("kiroku://memory/resident"), "tax-rounding: How tax is rounded\n");
    await assert.rejects(read("kiroku://threads/own"));
    assert.deepEqual((await client.listPrompts()).prompts.map((prompt) => prompt.name), ["resident"]);
    assert.match((await client.getPrompt({ name: "resident" })).messages[0].content.text, /tax-rounding: How/);

    for (const uri of [own, knowledge]) await client.subscribeResource({ uri });
    let told = updated(own);
    await another(["tool", "task_write", "--thread", "own", "--resource", "m1"], { tasks: [item("by another")] });
    await told;
    assert.equal(JSON.parse(await read(own)).items[0].content, "by another");
    told = updated(own);
    await call(client, "task_complete", { id: "task_by_another" });
    await told;
    told = updated(knowledge);
    await another(["tool", "MemoryEdit", ...member], {
      kind: "knowledge", slug: "tax-rounding", old_string: "丸める", new_string: "四捨五入する",
    });
    await told;
    assert.match(await read(knowledge), /四捨五入する/);
    await client.unsubscribeResource({ uri: own });
    await assert.rejects(client.subscribeResource({ uri: "kiroku://nothing" }));
    await client.close();
  },

  /** 400 calls at once from four clients on one space and one list. */
  async crowd() {
    const args = [...member, "--task", "1", "--thread", "shared", "--resource", "m1"];
    const clients = await Promise.all([0, 1, 2, 3].map(() => connect(...args)));
    const name = (client, number) => `item_${client}_${number}`;
    const tasks = clients.flatMap((_, client) =>
      Array.from({ length: 40 }, (_, number) => item("at first", { id: name(client, number) })),
    );
    await call(clients[0], "task_write", { tasks });
    const calls = clients.flatMap((client, index) =>
      Array.from({ length: 100 }, (_, number) => {
        if (number < 40) {
          return call(client, "task_update", { id: name(index, number), content: `at last ${index} ${number}` });
        }
        if (number < 60) return call(client, "MissionUpdate", { decisions: [{ text: `pin ${index} ${number}` }] });
        if (number < 90) return call(client, "SearchWorkspaceTasks", { query: "認証" });
        return call(client, "task_check");
      }),
    );
    const answers = await Promise.all(calls);
    assert.equal(answers.length, 400);
    answers.forEach((answer, place) => {
      const number = place % 100;
      if (number >= 60 && number < 90) assert.equal(answer.total, 1);
      if (number >= 90) assert.equal(answer.tasks.length, 160);
    });
    const list = await call(clients[3], "task_check");
    for (const known of list.tasks) {
      assert.equal(known.content, `at last ${known.id.slice(5).replace("_", " ")}`);
    }
    assert.equal((await call(clients[2], "MissionRead")).decisions.length, 80);
    await Promise.all(clients.map((client) => client.close()));
  },

  /** A long search that is taken back holds up nothing. */
  async cancel() {
    const client = await connect(...member, "--task", "1");
    const long = { name: "SearchTaskConversation", arguments: { query: "none such anywhere" } };
    let from = performance.now();
    assert.equal((await client.callTool(long)).structuredContent.total, 0);
    const whole = performance.now() - from;
    // As many as the server works on at once, and more than the space has readers: each alone takes `whole`.
    const stops = Array.from({ length: 16 }, () => new AbortController());
    const searches = stops.map(({ signal }) =>
      client.callTool(long, undefined, { signal }).then(() => "answered", () => "taken back"),
    );
    await client.ping();
    from = performance.now();
    for (const stop of stops) stop.abort("not wanted any more");
    await call(client, "ListWorkspaceTasks");
    const after = performance.now() - from;
    assert.ok((await Promise.all(searches)).every((ended) => ended === "taken back"));
    assert.ok(after < whole, `${after} ms after taking back 16 searches of ${whole} ms`);
    await client.close();
    return { whole: Math.round(whole), after: Math.round(after) };
  },

  /** The command that `kiroku mcp install` prints works as it stands. */
  async installed() {
    const { command, args } = JSON.parse(process.env.KIROKU_TEST).installed;
    const [one, two] = await Promise.all([connectBy(command, args), connectBy(command, args)]);
    await call(one, "task_write", { tasks: [item("mine")] });
    assert.equal((await call(two, "task_check")).tasks.length, 0);
    assert.equal((await call(one, "task_check")).tasks.length, 1);
    assert.equal((await call(two, "ListWorkspaceTasks")).available, true);
    await Promise.all([one.close(), two.close()]);
  },
};

const late = new Promise((_, fail) => setTimeout(() => fail(new Error("nothing more came for two minutes")), 120_000));
let verdict;
try {
  verdict = { ok: true, ...(await Promise.race([scenarios[process.argv[2]](), late])) };
} catch (error) {
  verdict = { ok: false, error: error.stack ?? String(error) };
}
process.stdout.write(JSON.stringify(verdict), () => process.exit(verdict.ok ? 0 : 1));
