// From the place a search is written in to what the engine is asked: words to states, local days to moments.
import type { SearchInput } from '../../platform'
import { startOfDay } from '../../shared/dates'
import type { SearchPlace } from '../../shared/place'
import { statesOf } from '../../shared/states'

/** Hits that are read at a time. */
export const PAGE = 50

export function inputOf(place: SearchPlace): SearchInput {
  const said = place.author === 'user' || place.author === 'agent' ? place.author : null
  return {
    query: place.q,
    match_mode: place.mode ?? 'any',
    kind: place.kind ?? null,
    author: said,
    member: said === null ? (place.author ?? null) : null,
    task: place.task ?? null,
    states: statesOf(place.state),
    since: (place.since && startOfDay(place.since)) ?? null,
    until: (place.until && startOfDay(place.until, 1)) ?? null,
    order: place.order ?? null,
    limit: PAGE,
    after: null,
  }
}
