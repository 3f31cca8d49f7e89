//! What a page says after something was done.

/// What was done, as the page says it that a form leads to. The address carries the key alone (`?saved=profile`), so that
/// nobody can have a page say something else.
///
/// ```text
/// const SAVED: Notice = Notice::new("profile", "저장했습니다.", "Saved.").at("profile");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Notice {
    /// Its name in the address.
    pub key: &'static str,
    /// The id of the section of the page in which it is said; empty for the top of the page.
    pub section: &'static str,
    ko: &'static str,
    en: &'static str,
}

impl Notice {
    /// A notice at the top of a page.
    pub const fn new(key: &'static str, ko: &'static str, en: &'static str) -> Notice {
        Notice { key, section: "", ko, en }
    }

    /// The same in a section of the page.
    pub const fn at(self, section: &'static str) -> Notice {
        Notice { section, ..self }
    }

    /// Its Korean and its English.
    pub const fn text(&self) -> (&'static str, &'static str) {
        (self.ko, self.en)
    }

    /// The one of `notices` with this key; nothing is said where there is none.
    pub fn of(notices: &[Notice], key: &str) -> Notice {
        let known = notices.iter().find(|notice| notice.key == key);
        known.copied().unwrap_or(Notice::new("", "", ""))
    }

    /// Where a form leads that has done it: the page `path`, which may name a section of its own.
    pub fn after(&self, path: &str) -> String {
        let (page, own) = path.split_once('#').unwrap_or((path, ""));
        let section = if own.is_empty() { self.section } else { own };
        let mark = if section.is_empty() { "" } else { "#" };
        format!("{page}?saved={}{mark}{section}", self.key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_leads_to_the_section_that_says_it() {
        let saved = Notice::new("profile", "저장했습니다.", "Saved.");
        assert_eq!(saved.after("/account"), "/account?saved=profile");
        assert_eq!(saved.after("/account#content"), "/account?saved=profile#content");
        assert_eq!(saved.at("profile").after("/account"), "/account?saved=profile#profile");
        assert_eq!(Notice::of(&[saved], "profile"), saved);
        assert_eq!(Notice::of(&[saved], "<b>").text(), ("", ""));
    }
}
