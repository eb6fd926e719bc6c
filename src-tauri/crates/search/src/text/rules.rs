//! The table of what is a secret: the one list that excerpts, titles and folded text are redacted by.
//!
//! A rule is looked at only where one of its hints stands, so ordinary text costs one pass of an automaton. Every rule
//! carries its examples: `⟦…⟧` marks what must go. They are written in pieces and joined when the tests run, so that
//! no scanner takes this file for a leak. Each one is also tried with U+200B inside, in full-width letters and at a
//! line's end. Change a rule, and [`RULES_VERSION`] has to go up: indexes are then made again.

use super::assigned::{api_key, password, secret, token};
use super::readers::{authorization, basic, bearer, private_key, provider_key, url_password};
use std::ops::Range;

/// The version of cleaning and of these rules: what an index stores, to know that it must be made again. Higher is
/// newer.
pub const RULES_VERSION: u32 = 1;

/// One kind of secret.
pub(super) struct Rule {
    /// What stands in the text instead: `[redacted:KIND]`.
    pub kind: &'static str,
    /// Literals; one of them begins every place where the rule is tried.
    pub hints: &'static [&'static str],
    /// What to do there.
    pub find: Find,
    /// Examples with the secret marked.
    #[cfg(test)]
    pub caught: &'static [&'static [&'static str]],
    /// Examples that stay as they are.
    #[cfg(test)]
    pub kept: &'static [&'static str],
}

/// How a rule looks for its secret from a hint on.
pub(super) enum Find {
    /// A regular expression that begins at the hint; the secret is group 1, or the whole. No letter or digit follows it.
    Pattern(&'static str),
    /// The same, where no letter, digit, `_` or `-` stands before the hint.
    Word(&'static str),
    /// A function of the text and the hint's place. Its hints are found in any ASCII case, a pattern's only as written.
    Reader(fn(&str, Range<usize>) -> Option<Range<usize>>),
}

macro_rules! rules {
    ($($kind:literal { hints: $hints:expr, find: $find:expr, caught: $caught:expr, kept: $kept:expr $(,)? })*) => {
        /// All rules. Where two find the same place, the earlier names it.
        pub(super) static RULES: &[Rule] = &[$(Rule {
            kind: $kind,
            hints: &$hints,
            find: $find,
            #[cfg(test)]
            caught: &$caught,
            #[cfg(test)]
            kept: &$kept,
        }),*];
    };
}

rules! {
    "private-key" {
        hints: ["-----BEGIN "],
        find: Find::Reader(private_key),
        caught: [
            &["⟦-----BEGIN RSA PRIV", "ATE KEY-----\nMIIEpAIBAAKCAQEA75Mx+b/8\nabcDEF123==\n-----END RSA PRIV", "ATE KEY-----⟧"],
            &["key:\n⟦-----BEGIN OPENSSH PRIV", "ATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5v\nbmUAAAAEbm9uZQ⟧"],
            &["\"k\": \"⟦-----BEGIN PRIV", "ATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0B\\n-----END PRIV", "ATE KEY-----⟧\\n\""],
            &["⟦-----BEGIN RSA PRIV", "ATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0123\n\nMIIEpAIBAAKCAQEA75Mx⟧"],
            &["> ⟦-----BEGIN EC PRIV", "ATE KEY-----\n> MHcCAQEEIIGLlamZmZmZmZmZ\n> -----END EC PRIV", "ATE KEY-----⟧"],
        ],
        kept: [
            "-----BEGIN CERTIFICATE-----\nMIIEpAIBAAKCAQEA75Mx\n-----END CERTIFICATE-----",
            "starts with -----BEGIN PRIVATE KEY----- and ends with -----END PRIVATE KEY-----",
            "if text.contains(\"-----BEGIN PRIVATE KEY-----\") {",
            "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----",
            "-----BEGIN PUBLIC KEY-----\nMIIBIjANBgkqhkiG9w0BAQEF",
        ],
    }
    "aws" {
        hints: ["AKIA", "ASIA", "ABIA", "ACCA"],
        find: Find::Word(r"A(?:KI|SI|BI|CC)A[A-Z0-9]{16}"),
        caught: [&["id ⟦AK", "IAIOSFODNN7EXAMPLE⟧, next"], &["キーは⟦AS", "IAY34FZKBOKMUTVV7A⟧です"]],
        kept: ["AKIA is a prefix", "ASIANGAMESINTOKYO2026X", "XAKIAIOSFODNN7EXAMPLE"],
    }
    "google" {
        hints: ["AIza", "GOCSPX-", "ya29."],
        find: Find::Word(r"AIza[A-Za-z0-9_-]{35,}|GOCSPX-[A-Za-z0-9_-]{20,}|ya29\.[A-Za-z0-9_-]{20,}"),
        caught: [
            &["?x=⟦AI", "zaSyA1234567890abcdefghijklmnopqrstuv⟧"],
            &["⟦GOC", "SPX-AbCdEfGhIjKlMnOpQrStUvWx⟧"],
            &["⟦ya", "29.a0AfH6SMBxyzxyzxyzxyz123⟧"],
        ],
        kept: ["AIzawa Bridge", "ya29.example", "image/png;base64,AB02gAIzaAd9oAAHraAAB92gAAgNoAAIPaAACG2gAAidoA"],
    }
    "azure" {
        hints: ["AccountKey=", "SharedAccessKey=", "sig="],
        find: Find::Pattern(r"(?:Account|SharedAccess)Key=([A-Za-z0-9+/]{40,}={0,2})|sig=([A-Za-z0-9%+/_-]{32,}={0,2})"),
        caught: [
            &["AccountName=x;Account", "Key=⟦abcdefghijABCDEFGHIJ0123456789+/abcdefghijABCDEFGHIJ0123456789+/abcdefghijABCDEFGHIJ01==⟧;EndpointSuffix=y"],
            &["https://x.blob.core.windows.net/c/f?sv=2022&", "sig=⟦AbCdEfGhIjKlMnOpQrStUvWxYz0123456789%2BAbC%3D⟧&se=2026"],
        ],
        kept: ["AccountKey=<key>", "sig=short", "sig=true&x=1"],
    }
    "github" {
        hints: ["ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_"],
        find: Find::Pattern(r"gh[pousr]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{30,}"),
        caught: [
            &["use ⟦gh", "p_0123456789abcdefghijABCDEFGHIJ012345⟧ please"],
            &["トークン ⟦gh", "s_0123456789abcdefghijABCDEFGHIJ012345⟧を使う"],
            &["⟦github", "_pat_11ABCDEFG0abcdefghijkl_0123456789abcdefghijABCDEFGHIJ0123456789abcdefghijABCDEFG⟧"],
        ],
        kept: ["ghp_ is the prefix", "ghp_short", "github_pat_xxx", "commit 3f2a1b9c4d5e6f708192a3b4c5d6e7f8091a2b3c"],
    }
    "gitlab" {
        hints: ["glpat-", "glptt-", "gldt-", "glrt-", "glcbt-", "glft-", "gloas-", "glagent-", "glimt-", "glsoat-"],
        find: Find::Pattern(r"gl(?:pat|ptt|dt|rt|cbt|ft|oas|agent|imt|soat)-[A-Za-z0-9_.-]{19,}[A-Za-z0-9_-]"),
        caught: [&["⟦gl", "pat-AbCdEfGhIjKlMnOpQrSt⟧."], &["(⟦gl", "rt-t1_AbCdEfGhIjKlMnOpQrSt⟧)"]],
        kept: ["glpat-xxx", "the glrt- prefix"],
    }
    "atlassian" {
        hints: ["ATATT3", "ATBB"],
        find: Find::Word(r"ATATT3[A-Za-z0-9_=-]{50,}|ATBB[A-Za-z0-9]{28,}"),
        caught: [&["⟦AT", "BBabcdefghijABCDEFGHIJ01234567890123⟧"]],
        kept: ["ATBB"],
    }
    "slack" {
        hints: ["xox", "xapp-", "hooks.slack.com/"],
        find: Find::Pattern(
            r"xox[a-z](?:\.xox[a-z])?-[A-Za-z0-9-]{10,}|xapp-\d-[A-Za-z0-9-]{10,}|hooks\.slack\.com/(?:services|workflows|triggers)/([A-Za-z0-9/_+-]{20,})",
        ),
        caught: [
            &["⟦xo", "xb-123456789012-1234567890123-AbCdEfGhIjKlMnOpQrStUvWx⟧"],
            &["⟦xa", "pp-1-A0123456789-1234567890123-abcdef⟧"],
            &["https://hooks.slack", ".com/services/⟦T00000000/B00000000/XXXXXXXXXXXXabcdefghijkl⟧ へ"],
        ],
        kept: ["xoxo", "hooks.slack.com/services/", "xoxb-"],
    }
    "discord" {
        hints: ["discord.com/api/", "discordapp.com/api/", "MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"],
        find: Find::Word(
            r"discord(?:app)?\.com/api/(?:v\d+/)?webhooks/\d+/([A-Za-z0-9_-]{30,})|[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}",
        ),
        caught: [
            &["https://discord", ".com/api/webhooks/123456789012345678/⟦abcdefghijABCDEFGHIJ0123456789abcdefghijABCDEFGHIJ0123456789⟧"],
            &["bot ⟦MTIzNDU2Nzg5MDEy", "MzQ1Njc4.GabcDE.abcdefghijABCDEFGHIJ0123456789abcdefgh⟧"],
        ],
        kept: ["discord.com/api/webhooks/ID/TOKEN", "MTG.notes.today", "NT kernel"],
    }
    "telegram" {
        hints: ["/bot"],
        find: Find::Pattern(r"/bot(\d{6,12}:[A-Za-z0-9_-]{30,})"),
        caught: [&["https://api.telegram.org/bot⟦123456789:AAabcdefghij", "ABCDEFGHIJ0123456789abc⟧/getMe"]],
        kept: ["/bot/123", "/bot123456:help"],
    }
    "anthropic" {
        hints: ["sk-ant-"],
        find: Find::Word(r"sk-ant-[A-Za-z0-9_-]{20,}"),
        caught: [&["⟦sk-", "ant-api03-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_AA⟧"]],
        kept: ["sk-ant-", "risk-ant-abcdefghijklmnopqrstuvwxyz"],
    }
    "openai" {
        hints: ["sk-"],
        find: Find::Reader(provider_key),
        caught: [
            &["⟦sk-", "proj-AbCdEfGhIjKlMnOpQrStUvWxYz0123456789⟧"],
            &["key=⟦sk-", "0123456789abcdefghijABCDEFGHIJ0123456789abcdefgh⟧"],
            &["鍵は⟦sk-", "or-v1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef⟧です"],
        ],
        kept: ["sk-fading-circle-container-wide", "task-0123456789abcdefghijABCDEFGHIJ", "sk-learn", "disk-usage"],
    }
    "model-key" {
        hints: ["hf_", "gsk_", "r8_", "pplx-", "xai-", "fw_", "nvapi-", "tgp_v1_", "jina_"],
        find: Find::Word(
            r"(?:hf_|gsk_|r8_|pplx-|xai-|fw_|jina_)[A-Za-z0-9]{30,}|nvapi-[A-Za-z0-9_-]{40,}|tgp_v1_[A-Za-z0-9_-]{30,}",
        ),
        caught: [
            &["⟦hf", "_abcdefghijABCDEFGHIJabcdefghijABCD⟧"],
            &["⟦gs", "k_abcdefghijABCDEFGHIJ0123456789abcdefghijABCDEFGHIJ01⟧"],
            &["⟦pp", "lx-abcdefghijABCDEFGHIJ0123456789abcdef⟧"],
        ],
        kept: ["hf_hub_download", "gsk_token", "xai-org"],
    }
    "stripe" {
        hints: ["sk_live_", "sk_test_", "rk_live_", "rk_test_", "whsec_"],
        find: Find::Word(r"(?:[sr]k_(?:live|test)_|whsec_)[A-Za-z0-9]{10,}"),
        caught: [&["⟦sk", "_live_abcdefghij0123456789ABCD⟧"], &["⟦rk", "_live_abcdefghij0123456789ABCD⟧"]],
        kept: ["sk_live_", "pk_live_abcdefghij0123456789ABCD", "sk_test_key"],
    }
    "package-registry" {
        hints: ["npm_", "pypi-AgE", "rubygems_", "dckr_pat_", "cio"],
        find: Find::Word(
            r"npm_[A-Za-z0-9]{30,}|pypi-AgE[A-Za-z0-9_-]{20,}|rubygems_[0-9a-f]{40,}|dckr_pat_[A-Za-z0-9_-]{20,}|cio[A-Za-z0-9]{32}",
        ),
        caught: [
            &["//registry/:_auth=⟦np", "m_abcdefghijABCDEFGHIJ0123456789abcdef⟧"],
            &["⟦py", "pi-AgEIcHlwaS5vcmcCJGFiY2RlZmdoLWlqa2wtbW5vcA⟧"],
            &["⟦dckr", "_pat_AbCdEfGhIjKlMnOpQrStUvWxYz0⟧"],
        ],
        kept: ["npm_config_registry", "pypi-publish", "npm_package_version_long_identifier_here"],
    }
    "service-key" {
        hints: [
            "SG.", "SK", "key-", "shpat_", "shpss_", "shpca_", "shppa_", "dop_v1_", "doo_v1_", "dapi", "lin_api_", "ntn_",
            "figd_", "sntrys_", "glsa_", "NRAK-", "AGE-SECRET-KEY-1", "hvs.", "sbp_", "dp.pt.", "PMAK-",
        ],
        find: Find::Word(concat!(
            r"SG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}|SK[0-9a-f]{32}|key-[0-9a-f]{32}|shp(?:at|ss|ca|pa)_[A-Fa-f0-9]{32}",
            r"|do[op]_v1_[0-9a-f]{40,}|dapi[0-9a-f]{32}|(?:lin_api|ntn|figd|sntrys)_[A-Za-z0-9_=-]{30,}|glsa_[A-Za-z0-9_]{32,}",
            r"|NRAK-[A-Z0-9]{20,}|AGE-SECRET-KEY-1[A-Z0-9]{50,}|hvs\.[A-Za-z0-9_-]{24,}|sbp_[0-9a-f]{40}",
            r"|dp\.pt\.[A-Za-z0-9]{40,}|PMAK-[A-Za-z0-9-]{50,}",
        )),
        caught: [
            &["⟦S", "G.abcdefghijABCDEFGHIJ01.abcdefghijABCDEFGHIJ0123456789abcdefghijABC⟧"],
            &["Twilio ⟦S", "K0123456789abcdef0123456789abcdef⟧"],
            &["⟦hv", "s.CAESIAbCdEfGhIjKlMnOpQrStUvWx⟧"],
            &["⟦AGE-SECRET", "-KEY-1QQPZRY9X8GF2TVDW0S3JN54KHCE6MUA7LQQPZRY9X8GF2TVDW0S⟧"],
        ],
        kept: ["SG.1", "SKU 0123456789", "key-value", "MASK0123456789abcdef0123456789abcdef"],
    }
    "jwt" {
        hints: ["eyJ"],
        find: Find::Word(r"eyJ[A-Za-z0-9_-]{8,}(?:\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]+)?|(?:\.[A-Za-z0-9_-]*){3}\.[A-Za-z0-9_-]+)"),
        caught: [
            &["⟦ey", "JhbGciOiJIUzI1NiJ9.ey", "JzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U⟧."],
            &["値は⟦ey", "JhbGciOiJub25lIn0.ey", "JzdWIiOiIxMjM0NTY3ODkwIn0⟧です"],
        ],
        kept: ["eyJhbGciOiJIUzI1NiJ9", "a base64 image iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ.png"],
    }
    "authorization" {
        hints: ["authorization"],
        find: Find::Reader(authorization),
        caught: [
            &["Authorization: Bearer ⟦abcdef", "123456⟧"],
            &["-H 'Authorization: token ⟦abc", "d1234efgh⟧' https://x"],
            &["\"authorization\": \"Basic ⟦dXNlcj", "pwYXNz⟧\","],
            &["Authorization: ⟦0123456789", "abcdef⟧"],
            &["Authorization: Bearer ⟦abcdefgh", "ijklmnop⟧"],
            &["headers.set(\"Authorization\", \"Bearer ⟦q1w2e3", "r4t5y6⟧\")"],
        ],
        kept: [
            "Authorization: Bearer <token>",
            "Authorization: Bearer ${TOKEN}",
            "Authorization: Bearer $API_TOKEN",
            "authorization: required",
            "the Authorization header is missing",
            "Authorization: Basic authentication",
            "let authorization = request.headers().get(name1)",
            "insert(AUTHORIZATION, server1.header_value())",
        ],
    }
    "authorization" {
        hints: ["bearer"],
        find: Find::Reader(bearer),
        caught: [&["send Bearer ⟦abcdef", "123456⟧ along"], &["bearer ⟦mF_9.B5f-4.1", "JqM⟧"]],
        kept: ["bearer token authentication", "Bearer <token>", "the bearer of this letter", "Bearer authentication2"],
    }
    "authorization" {
        hints: ["basic"],
        find: Find::Reader(basic),
        caught: [&["curl -H 'Basic ⟦dXNlcj", "pwYXNz⟧'"], &["basic ⟦YWRtaW46", "aHVudGVyMjI=⟧"]],
        kept: ["Basic authentication", "basic knowledge of base64", "BASIC programs"],
    }
    "url-password" {
        hints: ["://"],
        find: Find::Reader(url_password),
        caught: [
            &["postgres://app:⟦hunt", "er22⟧@db.example.com:5432/app"],
            &["git clone https://user:⟦p%40", "ss@x⟧@example.com/r.git"],
            &["redis://:⟦s3c", "r3t⟧@localhost"],
        ],
        kept: [
            "http://localhost:3000/@user",
            "https://example.com:8080/a?b=c:d@e",
            "postgres://user:${PASSWORD}@host/db",
            "postgres://user:<password>@host",
            "postgres://user:****@host",
            "http://localhost:3000」を見て@suzukiさん",
            "ssh://git@example.com:22/x",
        ],
    }
    "password" {
        hints: [
            "passw", "passphrase", "passcode", "_pass", "-pass", "pwd", "パスワード", "パスフレーズ", "パスコード", "暗証番号",
            "合言葉",
        ],
        find: Find::Reader(password),
        caught: [
            &["The password is ⟦hunt", "er2⟧."],
            &["password: ⟦P@ssw", "0rd!⟧"],
            &["my password was ⟦abc", "123xyz⟧, sorry"],
            &["Password = ⟦hunt", "er22⟧"],
            &["DB_PASSWORD=⟦change", "me⟧"],
            &["export PGPASSWORD=⟦hunt", "er22⟧"],
            &["MYSQL_PWD=⟦s3", "cr3t⟧"],
            &["SMTP_PASS=⟦hunt", "er22⟧"],
            &["PASSWORD=${PASSWORD:-⟦hunt", "er22⟧}"],
            &["PASSWORD=\"⟦correct-horse-", "battery⟧\""],
            &["{\"password\": \"⟦let", "mein⟧\"}"],
            &["{\\\"password\\\": \\\"⟦hunt", "er22⟧\\\"}"],
            &["{\"user\":\"a\",\"passwd\":\"⟦hunt", "er22⟧\",\"x\":1}"],
            &["db:\n  user: app\n  password: ⟦super", "secret⟧"],
            &["password: '⟦my-secret-", "phrase⟧'"],
            &["mysql -u root --password ⟦hunt", "er22⟧ app"],
            &["--db-password=⟦hunt", "er22⟧"],
            &["host=localhost password=⟦let", "meinplease⟧ dbname=x"],
            &["Server=db;User Id=sa;Password=⟦Hunt", "er;22⟧;Encrypt=true"],
            &["?user=a&password=⟦hunt", "er22⟧&x=1"],
            &["let password: &str = \"⟦hunt", "er22⟧\";"],
            &["login(password=⟦hunt", "er22⟧)"],
            &["'password' => '⟦hunt", "er22⟧',"],
            &["**Password:** ⟦hunt", "er22⟧"],
            &["| Password | ⟦hunt", "er22⟧ |"],
            &["set the password to ⟦hunt", "er22⟧"],
            &["userPassword2: \"⟦hunt", "er⟧\""],
            &["passphrase: \"⟦correct horse ", "battery staple⟧\""],
            &["パスワードは⟦hunt", "er22⟧です"],
            &["パスワードは「⟦hima", "wari⟧」です。"],
            &["パスワード：⟦P@ss", "w0rd⟧"],
            &["パスワード： ⟦1234", "5678⟧"],
            &["初期パスワード（本番）: ⟦abc", "d1234⟧"],
            &["パスワードを ⟦hunt", "er22⟧ に変更"],
            &["ﾊﾟｽﾜｰﾄﾞ:⟦hunt", "er22⟧"],
            &["暗証番号は⟦49", "12⟧です"],
            &["password: ⟦correct-horse-", "battery-staple⟧"],
            &["<password>⟦hunt", "er22⟧</password>"],
            &["machine x login me password ⟦hunt", "er22⟧"],
            &["the password \"⟦hunt", "er2⟧\" is old"],
        ],
        kept: [
            "the password field is empty",
            "the password is required",
            "password is case-sensitive",
            "password: required",
            "- password: unchanged",
            "password: string",
            "password?: string;",
            "password = os.environ[\"PASSWORD\"]",
            "password = get_password(user1)",
            "password = config.db2.password",
            "password=pwd, user=user",
            "login(password=user_password)",
            "PASSWORD=$DB_PASSWORD",
            "PASSWORD=${PASSWORD:-$OTHER1}",
            "PASSWORD=$(cat /run/secrets/pw1)",
            "DB_PASSWORD=your_password_here",
            "PASSWORD_FILE=/run/secrets/db1",
            "PWD=/home/user/app2",
            "password: <your password>",
            "password: ********",
            "password: xxxxxxxx",
            "\"password\": \"Password\"",
            "\"password\": \"パスワードを入力してください\"",
            "\"password\": \"Password must have 8 characters\"",
            "password: \"DB_PASSWORD\"",
            "password: \"auth.password.label\"",
            "use the --password flag to set it",
            "password: 8 characters or more",
            "password is 12-character",
            "password hash is sha256",
            "the password is SHA-256 hashed",
            "the password is base64-encoded",
            "password is the same as before",
            "password: see src/auth2/login.rs:42",
            "password: src/auth2/login.rs:42",
            "password_reset_token_ttl: 3600s1",
            "passwordless: abc123def",
            "<input type=\"password\" name=\"password2\">",
            "if password == user2password {",
            "password::hash2",
            "パスワードは変更しないでください",
            "パスワードは8文字以上です",
            "パスワードは2024年に変更しました",
            "パスワード：必須",
            "パスワード欄は空です",
            "パスワードは[redacted:password]です",
            "パスワードは「必須」です",
            "パスワードはSHA256でハッシュ化します",
            "パスワードをリセットする",
            "暗証番号は4桁です",
            "password: [redacted:password]",
            "password:\nhunter22",
            "password: do-not-change-this-one",
            "the password hunter2000 asks for",
            "<password>...</password>",
        ],
    }
    "token" {
        hints: ["token", "トークン"],
        find: Find::Reader(token),
        caught: [
            &["token: ⟦abcdef", "123456⟧"],
            &["GITHUB_TOKEN=⟦abc", "def0123⟧"],
            &["\"access_token\":\"⟦AbCdEfGhIj", "KlMnOpQrSt⟧\""],
            &["accessToken: '⟦a1b2", "c3d4⟧',"],
            &["the token is ⟦550e8400-e29b-", "41d4-a716-446655440000⟧"],
            &["Channel access token: ⟦abcdefghij0123456789/abc", "DEF+ghij==⟧"],
            &["LINE_CHANNEL_ACCESS_TOKEN=⟦abcdefghij0123456789/abc", "DEF+ghij==⟧"],
            &["https://x.example/?token=⟦abcd", "1234efgh⟧&y=2"],
            &["トークン：⟦abcd", "1234efgh⟧"],
            &["トークンは ⟦abcd", "1234efgh⟧ を使う"],
        ],
        kept: [
            "token count: 1200",
            "tokens: 1200",
            "token: 1200",
            "max_tokens=4096",
            "token: string",
            "token: Option<String>,",
            "token: i32",
            "token: [u8; 32]",
            "token = tokens[0]",
            "let_token: Token![let],",
            "token = \"identifier\"",
            "next_token: \"number\"",
            "the token is expired",
            "the token is a JWT (RS256)",
            "token: OAuth2",
            "token_type: bearer1x",
            "tokenizer: bpe32k",
            "token is 32-byte",
            "const token = await getToken(user1);",
            "token: process.env.TOKEN1",
            "トークン数：1200",
            "トークンは期限切れです",
            "トークン：必須",
            "トークンは30日で切れます",
            "token: {{ secrets.TOKEN1 }}",
            "--token TOKEN",
        ],
    }
    "secret" {
        hints: ["secret", "シークレット"],
        find: Find::Reader(secret),
        caught: [
            &["client_secret=⟦abcdef", "123456⟧"],
            &["\"clientSecret\": \"⟦let", "me-in-now⟧\""],
            &["secret: ⟦a1b2", "c3d4e5⟧"],
            &["JWT_SECRET=⟦some", "thing⟧"],
            &["the channel secret is `⟦0123456789abcdef", "0123456789abcdef⟧`"],
            &["シークレット: ⟦abcd", "1234⟧"],
            &["secret: \"⟦super", "secretvalue⟧\""],
        ],
        kept: [
            "secret_name: my-config",
            "secret: my-config",
            "secretKeyRef: db-creds1",
            "secretary: yamada1234",
            "The secret is out.",
            "secret: false",
            "secrets: inherit",
            "the secret is k8s/prod/db1",
            "secret: \"$" ,
        ],
    }
    "api-key" {
        hints: [
            "apikey", "api_key", "api-key", "api key", "access_key", "access-key", "access key", "accesskey", "private_key",
            "private-key", "privatekey", "private key", "secret key", "encryption_key", "signing_key", "master_key",
            "account_key", "app_key", "auth_key", "secret_key", "subscription-key", "apiキー", "アクセスキー", "秘密鍵", "秘密キー", "シークレットキー",
            "暗号鍵",
        ],
        find: Find::Reader(api_key),
        caught: [
            &["api_key: ⟦abcdef", "123456⟧"],
            &["API_KEY=⟦some", "thing⟧"],
            &["x-api-key: ⟦abcdef", "123456⟧"],
            &["aws_secret_access_key = ⟦wJalrXUtnFEMI/K7MDENG/", "bPxRfiCYEXAMPLEKEY⟧"],
            &["apiKey: \"⟦abcdef", "123456⟧\","],
            &["AZURE_STORAGE_ACCOUNT_KEY=⟦abcdefghij0123456789ABC", "DEFGHIJ+/==⟧"],
            &["APIキー：⟦abcdef", "123456⟧"],
            &["秘密鍵は⟦abcdef", "123456⟧です"],
        ],
        kept: [
            "api_key: <YOUR_API_KEY>",
            "api_key=YOUR_API_KEY",
            "private_key: ./keys/server1.pem",
            "private_key = \"~/.ssh/id_ed25519\"",
            "the private key is stored in vault2/keys",
            "access key: see the wiki",
            "public_key: abcdef123456",
            "primary_key=id1234",
            "秘密鍵は安全な場所に保管してください",
        ],
    }
}

#[cfg(test)]
#[path = "rules_tests.rs"]
mod tests;
