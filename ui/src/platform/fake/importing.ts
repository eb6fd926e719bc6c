// Importing, invented: sessions of a few folders (as many as the address asks for), a run that steps as tests let it, a
// watch that tells of itself, and what is said of a space's health, limits and set-up.
import {
  Failure,
  type Exclusions,
  type ImportProgress,
  type ImportReport,
  type MemoryLimits,
  type Platform,
  type Running,
  type SessionGroup,
  type SessionsWatched,
} from '../types'
import type { Ground } from './ground'

const HOME = '/home/haruka'
const PROJECTS = ['shop-front', 'ledger', 'brewing-notes', '請求書の様式', 'translation-memory', 'house-plans', 'sensor-firmware', 'quarterly-report']

type Importing = Pick<
  Platform,
  | 'foundSessions'
  | 'importSessions'
  | 'importGroups'
  | 'pickImportFiles'
  | 'importFiles'
  | 'exclusions'
  | 'setExcluded'
  | 'reveal'
  | 'watched'
  | 'watch'
  | 'pauseWatch'
  | 'checkSpace'
  | 'agentSetUp'
  | 'memoryLimits'
  | 'setMemoryLimit'
>

/** Of the space's own folder, by source. */
export const SESSIONS = [
  { source: 'claude-code', title: 'Claude Code', files: 38, bytes: 214_300_000 },
  { source: 'codex', title: 'Codex', files: 6, bytes: 12_800_000 },
]

export function makeImporting({ record, address, now, call, emit, say }: Ground): Importing {
  let bytesImported = false
  let excluded: Exclusions = { folders: [`${HOME}/scratch`], sources: [] }
  const ago = (hours: number) => new Date(now - hours * 3_600_000).toISOString()
  const own: SessionGroup[] = [
    { source: 'claude-code', title: 'Claude Code', folder: `${HOME}/kohaku`, files: 31, bytes: 181_000_000, newest: ago(0.4), excluded: false },
    { source: 'codex', title: 'Codex', folder: `${HOME}/kohaku`, files: 6, bytes: 12_800_000, newest: ago(30), excluded: false },
    { source: 'claude-code', title: 'Claude Code', folder: `${HOME}/kohaku/web`, files: 7, bytes: 33_300_000, newest: ago(200), excluded: false },
  ]
  const others = Number(address.get('folders') ?? 6)
  const elsewhere: SessionGroup[] = Array.from({ length: others }, (_, nth) => ({
    source: nth % 4 === 3 ? 'codex' : 'claude-code',
    title: nth % 4 === 3 ? 'Codex' : 'Claude Code',
    folder: `${HOME}/${nth < PROJECTS.length ? 'work' : `archive/${2016 + (nth % 10)}`}/${PROJECTS[nth % PROJECTS.length]}${nth < PROJECTS.length ? '' : `-${nth}`}`,
    files: 1 + ((nth * 7) % 23),
    bytes: 40_000 + ((nth * 7_919_311) % 90_000_000),
    newest: ago(10 + nth * 9),
    excluded: false,
  }))
  const scratch: SessionGroup = { source: 'claude-code', title: 'Claude Code', folder: `${HOME}/scratch`, files: 12, bytes: 900_000, newest: ago(3), excluded: true }
  const marked = (group: SessionGroup): SessionGroup => {
    const under = excluded.folders.some((folder) => group.folder === folder || group.folder?.startsWith(`${folder}/`))
    return { ...group, excluded: under || excluded.sources.includes(group.source) }
  }
  const none = address.get('sessions') === 'none'

  function bringIn(whole: number, progress: (now: ImportProgress) => void): Running<ImportReport> {
    let cancelled = false
    const done = (async () => {
      for (let step = 1; step <= 4 && !cancelled; step++) {
        const what = `${HOME}/.claude/projects/kohaku/0b7c-${step}.jsonl`
        progress({ what, done: (whole * step) / 5, total: whole, files: step * 8, totalFiles: 44, made: step * 1_840, rate: 920, left: 10 - 2 * step })
        await call('importStep', () => undefined)
      }
      const comments = cancelled || bytesImported ? 0 : 9_204
      bytesImported = true
      emit({ kind: 'changed', tasks: [], all: true })
      const skips = [
        { path: `${HOME}/.claude/projects/kohaku/0b7c-2.jsonl`, line: 118, why: say('not JSON: end of line in a string', 'JSON ではありません（文字列の途中で行が終わっています）') },
        { path: `${HOME}/.codex/sessions/2026/08/02/rollout-2026-08-02T10-15-00-5a1e.jsonl`, why: say('permission denied', '読み取りの権限がありません') },
      ]
      return {
        tasks: comments ? 44 : 0,
        comments,
        changed: 0,
        files: cancelled ? 8 : 44,
        unchanged: comments ? 0 : 44,
        excluded: 12,
        forgotten: comments ? 3 : 0,
        repeated: comments ? 210 : 0,
        unknown: 0,
        skipped: cancelled ? 0 : skips.length,
        skips: cancelled ? [] : skips,
        cancelled,
      }
    })()
    return { done, cancel: () => void (cancelled = true) }
  }

  const begins = address.get('watch') ?? 'off'
  let watched: SessionsWatched = {
    space: record.uid,
    wish: { on: begins !== 'off', everywhere: false },
    phase: begins === 'off' ? 'off' : (begins as SessionsWatched['phase']),
    done: begins === 'catching_up' ? 0.4 : null,
    note: null,
    last: begins === 'off' || begins === 'catching_up' ? null : { at: ago(0.05), source: 'claude-code', tasks: 1, comments: 12, changed: 0, skipped: 0 },
    comments: begins === 'off' ? 0 : 37,
  }
  const tell = (next: Partial<SessionsWatched>) => {
    watched = { ...watched, ...next }
    emit({ kind: 'watched', watched })
    return watched
  }

  let limits: MemoryLimits = {
    file: `${HOME}/kohaku/kiroku.toml`,
    limits: [
      { name: 'summary_body_limit', value: 20_000, default: 20_000 },
      { name: 'body_limit', value: 6_000, default: 8_000 },
      { name: 'search_hit_limit', value: 20, default: 20 },
      { name: 'search_excerpt_lines', value: 3, default: 3 },
    ],
    problems: [],
  }
  let faults = address.get('health') === 'faults'

  return {
    foundSessions: (everywhere) =>
      call('foundSessions', () => ({
        groups: none ? [] : (everywhere ? [...own, ...elsewhere, scratch] : own).map(marked),
        looked: [`${HOME}/.claude/projects`, `${HOME}/.codex/sessions`],
        skipped: 0,
      })),
    importSessions: (sources, progress) => bringIn(SESSIONS.filter((it) => sources.includes(it.source)).reduce((sum, it) => sum + it.bytes, 0), progress),
    importGroups: (groups, progress) => bringIn(groups.reduce((sum, group) => sum + group.bytes, 0), progress),
    pickImportFiles: () => call('pickImportFiles', () => [`${HOME}/Downloads/export.jsonl`]),
    importFiles: (_, progress) => bringIn(12_800_000, progress),
    exclusions: () => call('exclusions', () => excluded),
    setExcluded: (what, out) =>
      call('setExcluded', () => {
        const list = what.kind === 'folder' ? 'folders' : 'sources'
        excluded = { ...excluded, [list]: excluded[list].filter((name) => name !== what.name).concat(out ? [what.name] : []) }
        return excluded
      }),
    reveal: () => call('reveal', () => undefined),
    watched: () => call('watched', () => (watched.phase === 'failed' ? { ...watched, note: say('The disk is full.', 'ディスクがいっぱいです。') } : watched)),
    watch: (wish) => call('watch', () => tell({ wish, phase: wish.on ? 'watching' : 'off', done: null, note: null })),
    pauseWatch: () => call('pauseWatch', () => tell({ phase: 'paused' })),
    checkSpace: (mend) =>
      call('checkSpace', () => {
        const findings = faults
          ? [
              { message: say('the index lacks 12 comments', '索引に 12 件のコメントがありません'), fixable: true },
              { message: say('2 references lead nowhere', '参照先のない行が 2 件あります'), fixable: false },
            ]
          : []
        if (mend) faults = false
        return { findings, fixed: mend ? findings.filter((one) => one.fixable).length : 0 }
      }),
    agentSetUp: () =>
      call('agentSetUp', () => {
        const space = `${HOME}/kohaku/.kiroku/space.db`
        const args = `mcp --space ${space} --as m1 --thread auto --task auto`
        const json = (key: string) => JSON.stringify({ [key]: { kiroku: { command: 'kiroku', args: args.split(' ') } } }, null, 2)
        const into = (file: string) => say(`put into ${file}`, `${file} に書きます`)
        return [
          { agent: 'Claude Code', place: say('run', '次のコマンドを実行します'), text: `claude mcp add kiroku -- kiroku ${args}` },
          { agent: 'Codex', place: into('~/.codex/config.toml'), text: `[mcp_servers.kiroku]\ncommand = "kiroku"\nargs = [${args.split(' ').map((word) => `"${word}"`).join(', ')}]` },
          { agent: 'Cursor', place: into('~/.cursor/mcp.json'), text: json('mcpServers') },
          { agent: 'VS Code', place: into('.vscode/mcp.json'), text: json('servers') },
        ]
      }),
    memoryLimits: () => call('memoryLimits', () => limits),
    setMemoryLimit: (name, value) =>
      call('setMemoryLimit', () => {
        if (value < 1 && name !== 'search_excerpt_lines')
          throw new Failure('invalid_input', say(`\`${name}\` can't be ${value}; nothing was changed`, `${name} を ${value} にはできません。何も変更していません`))
        limits = { ...limits, limits: limits.limits.map((one) => (one.name === name ? { ...one, value } : one)) }
        return limits
      }),
  }
}
