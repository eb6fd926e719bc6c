// The platform that the app stands on: the shell's commands and events, by the bindings that are generated from Rust. Here
// their form becomes the page's, and nothing else: what an answer says is decided there.
import { commands, events, type Preferences, type SearchQuery, type SpaceView } from '../../bindings'
import {
  Failure,
  type ImportProgress,
  type ImportReport,
  type Platform,
  type PlatformEvent,
  type Running,
  type SearchInput,
  type Settings,
  type SpaceInfo,
} from '../types'
import { ask, body, cancel, nextTurn, number, workName } from './ask'
import { conversations, forgetTasks } from './conversations'
import { lists } from './lists'
import { records } from './records'

function spaceInfo(view: SpaceView): SpaceInfo {
  const { uid, name, path, folder, member, members, counts } = view
  return { uid, name, path, folder, me: member.id, members, ...counts }
}

function queryOf(input: SearchInput): SearchQuery {
  return {
    query: input.query,
    match_mode: input.match_mode,
    filter: {
      kind: input.kind,
      author: input.author,
      member: input.member,
      task: input.task === null ? null : number(input.task),
      states: input.states,
      since: input.since,
      until: input.until,
    },
    limit: input.limit,
    context: 0,
    order: input.order,
    after: input.after === null ? null : number(input.after),
    count_all: false,
  }
}

/** Names of sources as people know them. */
const SOURCES: Record<string, string> = { 'claude-code': 'Claude Code', codex: 'Codex' }
const found = (list: { source: string; files: number; bytes: number }[]) =>
  list
    .filter((one) => one.files > 0)
    .map(({ source, files, bytes }) => ({ source, title: SOURCES[source] ?? source, files, bytes }))

/** Starts an import, and passes on what is told of it. */
function importing(input: Parameters<typeof commands.importSessions>[1], told: (now: ImportProgress) => void): Running<ImportReport> {
  const work = workName('import')
  const done = (async () => {
    const stop = await events.workProgress.listen(({ payload }) => {
      if (payload.work !== work) return
      const { what, done, total, comments, rate, seconds_left } = payload
      told({ what, done, total, made: comments, rate: rate ?? 0, left: seconds_left })
    })
    try {
      const { reports, cancelled } = await ask(commands.importSessions(work, input))
      const sum = (of: 'tasks' | 'comments' | 'changed' | 'skipped') => reports.reduce((all, { report }) => all + report[of], 0)
      return {
        tasks: sum('tasks'),
        comments: sum('comments'),
        changed: sum('changed'),
        skipped: sum('skipped'),
        skips: reports.flatMap(({ report }) => report.skips),
        cancelled,
      }
    } finally {
      stop()
    }
  })()
  return { done, cancel: () => cancel(work) }
}

let folder = ''
/** The space is what it is now; everything kept of another one goes. */
const entered = (view: SpaceView): SpaceInfo => {
  forgetTasks()
  folder = view.folder
  return spaceInfo(view)
}

const settingsOf = (kept: Preferences): Settings => ({
  lang: kept.language,
  theme: kept.theme,
  size: kept.font_size,
  name: kept.member_name ?? '',
})

/** Where somebody sent the window from outside: a link, or a space file. */
const sent = (location: string): PlatformEvent =>
  location.startsWith('kiroku:') ? { kind: 'link', link: location } : { kind: 'file', path: location }

// Asked once: the shell gives the place to begin with once only.
const first = ask(commands.start())

export const tauri: Platform = {
  now: () => Date.now(),
  settings: async () => settingsOf((await first).preferences),
  async saveSettings({ lang, theme, size, name }) {
    const { preferences } = await ask(commands.start())
    await ask(commands.setPreferences({ ...preferences, language: lang, theme, font_size: size, member_name: name || null }))
  },
  listen(listener) {
    const stops = [
      events.spaceChanged.listen(({ payload }) => {
        forgetTasks()
        const tasks = payload.changes.flatMap(({ task }) => (task === null ? [] : [`task:${task}`]))
        listener({ kind: 'changed', tasks: [...new Set(tasks)], all: payload.reload })
      }),
      events.spaceLost.listen(({ payload: { error } }) =>
        listener({ kind: 'gone', failure: new Failure(error.code, error.message) }),
      ),
      events.navigate.listen(({ payload }) => listener(sent(payload.location))),
      events.menuChosen.listen(({ payload: { command } }) => {
        listener({ kind: 'menu', command })
      }),
      events.preferencesChanged.listen(({ payload }) => listener({ kind: 'settings', settings: settingsOf(payload.preferences) })),
      events.indexing.listen(({ payload: { done, total, ended } }) =>
        // What was not found a moment ago may be now.
        listener(ended ? { kind: 'changed', tasks: [], all: true } : { kind: 'indexing', done, total }),
      ),
    ]
    return () => stops.forEach((stop) => void stop.then((end) => end()))
  },

  knownSpaces: async () => (await ask(commands.start())).recent,
  forgetKnownSpace: async (path) => void (await ask(commands.forgetRecent(path))),
  async current() {
    const open = await ask(commands.currentSpace())
    return open === null ? null : entered(open)
  },
  async last() {
    const { recent, location } = await first
    if (location !== null && !location.startsWith('kiroku:')) return { path: location, link: null }
    const before = recent.find((space) => space.present)
    return { path: before?.path ?? null, link: location }
  },
  openSpace: async (path) => entered(await ask(commands.openSpace(path))),
  openSample: async () => entered(await ask(commands.openSampleSpace(workName('sample')))),
  closeSpace: async () => void (await ask(commands.closeSpace())),
  async createSpace({ path, name, member, anyway }) {
    const { preferences, app } = await ask(commands.start())
    const id = preferences.member ?? app.account
    return entered(await ask(commands.createSpace({ path, name, member: id, member_name: member, anyway })))
  },
  risk: (path) => ask(commands.spaceRisk(path)),
  safePlace: (name) => ask(commands.suggestSpaceFile(name)),
  pickPlace: (name) => ask(commands.chooseNewSpaceFile(name)),
  async personName() {
    const { preferences, app } = await ask(commands.start())
    return preferences.member_name ?? app.account
  },
  async look(path) {
    const seen = await ask(commands.lookIntoFolder(workName('look'), path))
    return {
      path: seen.path,
      space: seen.space,
      records: seen.memory_files + seen.knowledge_files,
      sessions: found(seen.sessions),
      suggested: seen.new_space,
    }
  },
  pickFolder: () => ask(commands.chooseFolder()),
  pickSpaceFile: () => ask(commands.chooseSpaceFile()),

  foundSessions: async () => found(await ask(commands.foundSessions(workName('found'), folder))),
  importSessions: (sources, told) => importing({ from: 'folder', folder, sources }, told),
  pickImportFiles: () => ask(commands.chooseImportFiles()),
  importFiles: (paths, told) => importing({ from: 'paths', paths }, told),
  exclusions: () => ask(commands.exclusions()),
  setExcluded: ({ kind, name }, excluded) => ask(commands.setExcluded(kind === 'folder' ? { folder: name } : { source: name }, excluded)),
  reveal: async (path) => void (await ask(commands.reveal(path))),

  renameSpace: async (name) => void (await ask(commands.renameSpace(name))),
  beMember: async (id) => void (await ask(commands.actAs(id))),
  async addMember(id, name, role) {
    await ask(commands.addMember(id, name, role))
    return { id, name, role }
  },
  removeMember: async (id) => void (await ask(commands.removeMember(id))),
  backups: (path) => ask(commands.backups(path)),
  backupNow: () => ask(commands.makeBackup()),
  async restore(path, backup) {
    const { kept, space } = await ask(commands.restoreBackup(path, backup))
    entered(space)
    return kept
  },

  search: (input) => body(commands.search('search', nextTurn(), queryOf(input))),
  countAll(input) {
    const query = { ...queryOf(input), limit: 1, count_all: true }
    const done = body(commands.search('count', nextTurn(), query)).then(({ total }) => total)
    return { done, cancel: () => cancel('count') }
  },

  copy: (text) => navigator.clipboard.writeText(text),
  openLink: async (url) => void (await ask(commands.openLink(url))),
  exportResults: (input, format) => ask(commands.exportResults(workName('export'), queryOf(input), format)),
  exportSpace: (redact) => ask(commands.exportSpace(workName('export'), redact)),

  ...conversations,
  ...lists,
  ...records,
}
