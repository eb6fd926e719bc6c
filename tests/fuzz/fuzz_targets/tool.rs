//! Tools called with any JSON. The first byte chooses the tool, the second who calls: a member, a stranger, a subtask.
#![no_main]

use kiroku_api::lists::Door;
use kiroku_api::tools::{ToolContext, thread_of, tools};
use kiroku_fuzz::Space;
use kiroku_model::{Call, Caller, TaskId};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let [tool, who, json @ ..] = data else { return };
    let Ok(input) = serde_json::from_slice::<serde_json::Value>(json) else { return };
    let all: Vec<_> = tools().collect();
    let tool = all[usize::from(*tool) % all.len()];
    let caller = Caller {
        member: (who & 1 == 0).then(|| "m1".to_owned()),
        task: (who & 2 == 0).then_some(TaskId(1)),
        subtask: who & 4 != 0,
    };
    let thread = thread_of(None, None, &caller).expect("the task's thread");
    let call = Call { caller, ..Call::default() };
    let context = ToolContext { call, thread, door: Door::Mcp };
    Space::with(|space| {
        if let Ok(answer) = tool.call(&space.workspace, &context, input) {
            assert!(!answer.text.is_empty());
        }
    });
});
