//! The hook that git runs before a commit, so that records with errors are told before they travel. It only asks
//! `kiroku memory check`, which knows the rules.

/// The first line by which the hook is known again.
pub const HOOK_MARK: &str = "# kiroku memory check";

/// The text of `.git/hooks/pre-commit` (mode 0755). `kiroku` is how the program is called: a name on the `PATH`, or a path.
pub fn hook_script(kiroku: &str) -> String {
    let quoted = kiroku.replace('\'', "'\\''");
    format!(
        "#!/bin/sh\n{HOOK_MARK}\n# Leave this out for one commit with: git commit --no-verify\n\
         cd \"$(git rev-parse --show-toplevel)\" || exit 1\n\
         if ! command -v '{quoted}' >/dev/null 2>&1; then\n  echo '{quoted}: not found; the records were not checked' >&2\n  exit 0\nfi\n\
         exec '{quoted}' memory check\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_shell_reads_it() {
        let script = hook_script("/opt/it's/kiroku");
        let status = std::process::Command::new("sh").args(["-n", "-c", &script]).status().unwrap();
        assert!(status.success());
        assert!(script.starts_with("#!/bin/sh\n# kiroku memory check\n") && script.ends_with("memory check\n"));
    }
}
