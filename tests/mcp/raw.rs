//! The protocol by hand: what a client that behaves would never send, and how the server ends.

use kiroku_tests::Home;
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Output, Stdio};

/// Runs `kiroku mcp` with these lines as its whole input.
fn serve(lines: &[Vec<u8>]) -> Output {
    let home = Home::new();
    let mut server = home.command(&["mcp", "--as", "m1", "--thread", "auto"]);
    let mut server = server.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    let lines = lines.to_vec();
    // Beside the reading of its output: either could fill a pipe.
    let writer = std::thread::spawn(move || {
        for line in lines {
            // The server may have ended already, and its output says why.
            if input.write_all(&line).and_then(|()| input.write_all(b"\n")).is_err() {
                return;
            }
        }
    });
    let output = server.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

fn line(message: Value) -> Vec<u8> {
    message.to_string().into_bytes()
}

fn hello() -> Vec<u8> {
    line(json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
        "protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "by hand", "version": "1"}}}))
}

fn tool(id: i64, name: &str, input: Value) -> Vec<u8> {
    line(json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": name, "arguments": input}}))
}

/// What was answered, by id; every line of standard output must be a message of the protocol.
fn answers(output: &Output) -> Vec<(Value, Value)> {
    let out = std::str::from_utf8(&output.stdout).unwrap();
    let mut answers: Vec<(Value, Value)> = out
        .lines()
        .map(|line| {
            let message: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
            assert_eq!(message["jsonrpc"], "2.0");
            (message["id"].clone(), message)
        })
        .collect();
    answers.sort_by_key(|(id, _)| id.as_i64());
    answers
}

#[test]
fn the_end_of_the_input_is_a_clean_end() {
    let output = serve(&[]);
    assert_eq!((output.status.code(), output.stdout.len(), output.stderr.len()), (Some(0), 0, 0));
    // What was asked before the end is answered.
    let write = json!({"tasks": [{"content": "a", "status": "pending", "activeForm": "A"}]});
    let output = serve(&[hello(), tool(1, "task_write", write), tool(2, "ListWorkspaceTasks", json!({}))]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let answers = answers(&output);
    assert_eq!(answers.iter().map(|(id, _)| id.as_i64()).collect::<Vec<_>>(), [Some(0), Some(1), Some(2)]);
    assert_eq!(answers[0].1["result"]["protocolVersion"], "2025-06-18");
    assert_eq!(answers[0].1["result"]["serverInfo"]["name"], "kiroku");
    assert_eq!(answers[1].1["result"]["structuredContent"]["tasks"][0]["id"], "task_a");
}

#[test]
fn hostile_input_costs_nothing() {
    let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let output = serve(&[
        hello(),
        b"no json".to_vec(),
        vec![0xff, 0xfe, 0x00],
        deep.clone().into_bytes(),
        format!("{{\"jsonrpc\":\"2.0\",\"id\":9,\"method\":\"tools/call\",\"params\":{{\"name\":\"task_check\",\"arguments\":{deep}}}}}").into_bytes(),
        vec![b'x'; 17 * 1024 * 1024],
        line(json!({"jsonrpc": "2.0", "id": 1, "method": "no/such/method"})),
        line(json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "task_check", "arguments": 5}})),
        tool(3, "no_such_tool", json!({})),
        tool(4, "task_write", json!({"tasks": "x".repeat(1_000_000)})),
        line(json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 999}})),
        line(json!({"jsonrpc": "2.0", "id": 5, "method": "resources/read", "params": {"uri": "file:///etc/passwd"}})),
        tool(6, "task_check", json!({})),
    ]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let answers = answers(&output);
    let answer =
        |id: i64| &answers.iter().find(|(known, _)| *known == id).unwrap_or_else(|| panic!("{id}: {answers:?}")).1;
    for id in [1, 2, 3, 5] {
        assert!(answer(id)["error"]["code"].as_i64().is_some_and(|code| code < 0), "{}", answer(id));
    }
    assert_eq!(answer(4)["result"]["structuredContent"]["error"]["code"], "invalid_input");
    assert_eq!(answer(6)["result"]["structuredContent"]["tasks"], json!([]));
}

#[test]
fn who_speaks_no_mcp_is_told_so_on_standard_error() {
    let output = serve(&[line(json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))]);
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0));
    assert!(String::from_utf8_lossy(&output.stderr).contains("does not speak MCP"));
}

#[test]
fn what_can_not_be_served_is_said_at_once() {
    let home = Home::new();
    home.run(&["mcp", "--task", "x"]).ended(2).says(&["task:NUMBER"]);
    home.run(&["mcp", "--thread", " ", "--resource", "m1"]).ended(2).says(&["thread"]);
    Home::bare().run(&["mcp"]).ended(2).says(&["kiroku space new"]);
}
