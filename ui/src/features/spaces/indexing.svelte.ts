// How far the search index is, while it is being built or renewed; nothing while it is whole.

class Indexing {
  now = $state.raw<{ done: number; total: number }>()

  hear = ({ done, total, ended }: { done: number; total: number; ended: boolean }): void => {
    this.now = ended ? undefined : { done, total }
  }
}

export const indexing = new Indexing()
