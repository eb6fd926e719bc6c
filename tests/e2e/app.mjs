// Goes through the built app as a person does, in its real webview, each time on a data directory of its own.
//
//     node tests/e2e/app.mjs KIROKU-DESKTOP KIROKU [FOLDER FOR SCREENSHOTS]
//     node --test-name-pattern=WORD tests/e2e/app.mjs …     only the tests of that name
//
// One file an area; a new area is a new line here.
import './search.mjs'
import './conversation.mjs'
import './board.mjs'
import './records.mjs'
import './editor.mjs'
