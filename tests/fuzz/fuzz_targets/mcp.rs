//! A connection that begins as MCP says and goes on with lines of any bytes: every line of the answer is a message of the
//! protocol, and the server ends when its input does.
#![no_main]

use kiroku_fuzz::Space;
use kiroku_mcp::{ServeOptions, ThreadChoice, serve};
use std::sync::Arc;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const HELLO: &[u8] = b"{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"fuzz\",\"version\":\"1\"}}}\n{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}\n";

thread_local! {
    static RUNTIME: tokio::runtime::Runtime =
        tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
}

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let said = Space::with(|space| RUNTIME.with(|runtime| runtime.block_on(talk(space, data))));
    for line in said.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let message: serde_json::Value = serde_json::from_slice(line).expect("a line of the answer is JSON");
        assert_eq!(message["jsonrpc"], "2.0");
    }
});

async fn talk(space: &Space, data: &[u8]) -> Vec<u8> {
    let (theirs, ours) = tokio::io::duplex(1 << 16);
    let (mut from, mut to) = tokio::io::split(ours);
    let options = ServeOptions {
        member: Some("m1".to_owned()),
        thread: ThreadChoice::This("t".to_owned()),
        resource: Some("m1".to_owned()),
        ..ServeOptions::default()
    };
    let mut said = Vec::new();
    let ask = async {
        // The server may have ended already, and then its end is what counts.
        let _ = to.write_all(HELLO).await;
        let _ = to.write_all(data).await;
        let _ = to.shutdown().await;
    };
    let (ended, (), read) =
        tokio::join!(serve(Arc::clone(&space.workspace), options, theirs), ask, from.read_to_end(&mut said));
    // An input that is no MCP is an error that says so.
    drop(ended);
    read.expect("memory is read");
    said
}
