// Where the app's page begins: on the shell.
import { start } from './app/start'
import { tauri } from './platform/tauri'

await start(tauri)
