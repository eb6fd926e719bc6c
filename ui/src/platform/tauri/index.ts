// The platform that the app stands on: the shell's commands and events, by the bindings that are generated from Rust. Here
// their form becomes the page's, and nothing else: what an answer says is decided there.
import {
  commands,
  events,
  type ImportReport as Report,
  type Location,
  type Preferences,
  type SearchQuery,
  type SourceSessions,
  type SpaceView,
} from '../../bindings'
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
import { sourceTitle } from '../sources'
import { ask, body, cancel, nextTurn, number, workName } from './ask'
import { conversations } from './conversations'
import { lists } from './lists'
import { forgetRecords, listenToRecords, records } from './records'

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

const found = (list: { source: string; files: number; bytes: number }[]) =>
  list
    .filter((one) => one.files > 0)
    .map(({ source, files, bytes }) => ({ source, title: sourceTitle(source), files, bytes }))

const groupsOf = (list: SourceSessions[]) =>
  list.flatMap(({ source, folders }) => folders.map((group) => ({ source, title: sourceTitle(source), ...group })))

/** Starts an import, and passes on what is told of it. */
function importing(input: Parameters<typeof commands.importSessions>[1], told: (now: ImportProgress) => void): Running<ImportReport> {
  const work = workName('import')
  const done = (async () => {
    const stop = await events.workProgress.listen(({ payload }) => {
      if (payload.work !== work) return
      const { what, done, total, files, total_files: totalFiles, comments, rate, seconds_left } = payload
      told({ what, done, total, files, totalFiles, made: comments, rate: rate ?? 0, left: seconds_left })
    })
    try {
      const { reports, cancelled } = await ask(commands.importSessions(work, input))
      type Counted = { [K in keyof Report]: Report[K] extends number ? K : never }[keyof Report]
      const sum = (of: Counted) => reports.reduce((all, { report }) => all + report[of], 0)
      return {
        tasks: sum('tasks'),
        comments: sum('comments'),
        changed: sum('changed'),
        files: sum('files'),
        unchanged: sum('unchanged'),
        excluded: sum('excluded'),
        forgotten: sum('forgotten'),
        repeated: sum('repeated'),
        unknown: sum('unknown_lines'),
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
  forgetRecords()
  folder = view.folder
  return spaceInfo(view)
}

const settingsOf = (kept: Preferences): Settings => ({
  lang: kept.language,
  theme: kept.theme,
  size: kept.font_size,
  name: kept.member_name ?? '',
})

/** Where somebody sent the window from outside. */
const sent = (location: Location): PlatformEvent => {
  if ('link' in location) return { kind: 'link', link: location.link }
  return 'file' in location ? { kind: 'file', path: location.file } : { kind: 'folder', path: location.folder }
}

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
              const tasks = payload.changes.flatMap(({ task }) => (task === null ? [] : [`task:${task}`]))
        const lists = payload.changes.some(({ entity }) => entity === 'list')
        listener({ kind: 'changed', tasks: [...new Set(tasks)], all: payload.reload, lists })
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
        {
          listener({ kind: 'indexing', done, total, ended })
          // What was not found a moment ago may be now.
          if (ended) listener({ kind: 'changed', tasks: [], all: true })
        },
      ),
      events.sessionsWatched.listen(({ payload }) => {
        listener({ kind: 'watched', watched: payload })
      }),
    ]
    const stopRecords = listenToRecords(listener)
    return () => {
      stopRecords()
      stops.forEach((stop) => void stop.then((end) => end()))
    }
  },

  knownSpaces: async () => (await ask(commands.start())).recent,
  forgetKnownSpace: async (path) => void (await ask(commands.forgetRecent(path))),
  async current() {
    const open = await ask(commands.currentSpace())
    return open === null ? null : entered(open)
  },
  async last() {
    const { recent, location } = await first
    const event = location === null ? undefined : sent(location)
    if (event?.kind === 'folder') return { path: null, link: null, folder: event.path }
    if (event?.kind === 'file') return { path: event.path, link: null, folder: null }
    const before = recent.find((space) => space.present)
    return { path: before?.path ?? null, link: event?.kind === 'link' ? event.link : null, folder: null }
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

  async foundSessions(everywhere) {
    const list = await ask(commands.foundSessions('found', everywhere ? null : folder))
    const skipped = list.reduce((sum, one) => sum + one.skipped, 0)
    return { groups: groupsOf(list), looked: list.flatMap((one) => one.looked_in), skipped }
  },
  importSessions: (sources, told) => importing({ from: 'folder', folder, sources }, told),
  importGroups: (groups, told) => importing({ from: 'groups', groups: groups.map(({ source, folder }) => ({ source, folder })) }, told),
  pickImportFiles: () => ask(commands.chooseImportFiles()),
  importFiles: (paths, told) => importing({ from: 'paths', paths }, told),
  exclusions: () => ask(commands.exclusions()),
  setExcluded: ({ kind, name }, excluded) => ask(commands.setExcluded(kind === 'folder' ? { folder: name } : { source: name }, excluded)),
  watched: () => ask(commands.sessionsWatched()),
  watch: (wish) => ask(commands.watchSessions(wish)),
  pauseWatch: () => ask(commands.pauseWatching()),
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
  checkSpace: (mend) => ask(commands.doctor(workName('check'), mend)),
  agentSetUp: () => ask(commands.agentSetUp()),
  memoryLimits: () => ask(commands.memoryLimits()),
  setMemoryLimit: (name, value) => ask(commands.setMemoryLimit(name, value)),
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
