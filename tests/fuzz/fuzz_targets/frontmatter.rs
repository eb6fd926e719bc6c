//! Records of any text: read, checked, and changed field by field. A change must be what was asked for, leave every other
//! field as it was, and be undone byte for byte by putting the old value back.
#![no_main]

use kiroku_memory::{Existing, FieldValue, Frontmatter, RecordKind, Settings, Slug, field_source, remove_field, set_field};

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let text = String::from_utf8_lossy(data);
    let slug = Slug::parse("some-record").expect("a slug");
    for kind in RecordKind::ALL {
        for finding in kiroku_memory::check(kind, &slug, &text, &Existing::new()) {
            drop(finding.message);
        }
    }
    drop(Settings::read(&text));
    drop(kiroku_memory::merge(&text, "---\nstatus: active\n---\nmine\n", "---\nstatus: done\n---\ntheirs\n"));
    let Ok(read) = Frontmatter::parse(&text) else { return };
    for field in &read.fields {
        drop(FieldValue::of(&text, field));
        assert!(text.get(field.lines.clone()).is_some() && text.get(field.source.clone()).is_some());
    }
    let name = read.fields.first().map_or("status", |field| field.key.as_str());
    let before = others(&read, &text, name);
    for value in [FieldValue::Text("認証: yes # no".to_owned()), FieldValue::Null, FieldValue::Range([2, 5])] {
        // A field that can't be changed alone is refused, which is an answer too.
        let Ok(changed) = set_field(&text, name, &value) else { continue };
        let now = Frontmatter::parse(&changed).expect("a changed record is still one");
        assert_eq!(now.field(name).map(|field| FieldValue::of(&changed, field)), Some(value));
        assert_eq!(others(&now, &changed, name), before);
        assert_eq!(body(&now, &changed), body(&read, &text));
    }
    if let Ok(removed) = remove_field(&text, name) {
        let now = Frontmatter::parse(&removed).expect("a record without a field is still one");
        assert!(now.field(name).is_none());
        assert_eq!(others(&now, &removed, name), before);
    }
    let old = field_source(&text, name).ok().flatten();
    if let Some(old) = old.filter(|old| !old.contains(['\n', '\r']))
        && let Ok(changed) = set_field(&text, name, &FieldValue::Bool(true))
        && let Ok(back) = set_field(&changed, name, &FieldValue::Yaml(old.clone()))
    {
        assert_eq!(field_source(&back, name).ok().flatten(), Some(old));
    }
});

/// Every field but one, as it is written.
fn others(read: &Frontmatter, text: &str, name: &str) -> Vec<(String, String)> {
    let fields = read.fields.iter().filter(|field| field.key != name);
    fields.map(|field| (field.key.clone(), text[field.source.clone()].to_owned())).collect()
}

fn body<'a>(read: &Frontmatter, text: &'a str) -> &'a str {
    &text[read.parts.body()..]
}
