// Builds and serves the page and starts the browser once; each test file connects to it.
import type { TestProject } from 'vitest/node'
import { begin } from '../browser.mjs'

declare module 'vitest' {
  export interface ProvidedContext {
    base: string
    endpoint: string
  }
}

export default async function setup(project: TestProject) {
  const started = await begin()
  project.provide('base', started.base)
  project.provide('endpoint', started.endpoint)
  return () => started.close()
}
