//! The second step of a sign-in: codes that a phone makes of a secret and the time (TOTP, RFC 6238: SHA-1, six digits, thirty
//! seconds), and recovery codes for who has lost the phone.

use chrono::{DateTime, Utc};
use qrcodegen::{QrCode, QrCodeEcc};
use serde::{Deserialize, Serialize};
use totp_rs::{Builder, Totp};

use hanok_base::schema::{BasicType, Components, Object, RefOr, Schema};
use hanok_base::secret::fingerprint;
use hanok_base::validated::{Constraint, ValidationErrors};
use hanok_base::{Error, MessageTemplate, Result};

const CODE: MessageTemplate =
    MessageTemplate::new("admin.must.code", "must be the six digits that the phone shows, or a recovery code");

/// Bytes of a secret: as many as SHA-1 gives, as RFC 4226 (section 4) recommends.
const SECRET_BYTES: usize = 20;
/// Bytes of randomness in a recovery code: 80 bits.
const RECOVERY_BYTES: usize = 10;
/// So many recovery codes are given out at once.
pub const RECOVERY_CODES: usize = 10;

/// Digits of a code.
const DIGITS: u8 = 6;
/// Seconds for which a code is shown.
const STEP: u64 = 30;
/// A code is taken this many steps before and after its time: clocks differ, and people type.
const SKEW: u16 = 1;
/// Letters of a recovery code (Crockford's base 32): none can be taken for another.
const LETTERS: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
/// Letters of a recovery code: five bits each.
const RECOVERY_LETTERS: usize = RECOVERY_BYTES * 8 / 5;
/// A code is typed with at most so many signs, with all that people put between them.
const LONGEST_TYPED: usize = 40;
/// What people put into a code to divide it.
const DIVIDERS: [char; 5] = [' ', '\t', '\u{a0}', '\u{3000}', '-'];
/// What [`TypedCode::read`] takes: six digits or sixteen letters, of which some pass for the digits that they look like.
const TYPED: &str =
    r"^[ \t\u00a0\u3000-]*(?:(?:[0-9OoIiLl][ \t\u00a0\u3000-]*){6}|(?:[0-9A-TV-Za-tv-z][ \t\u00a0\u3000-]*){16})$";
/// How wide the quiet edge of a QR code is, in its squares (ISO/IEC 18004).
const EDGE: i32 = 4;

/// The second step of an admin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecondStep {
    /// The admin.
    pub name: String,
    /// What phone and house share, sealed.
    pub sealed: String,
    /// Since when it is asked for.
    pub since: DateTime<Utc>,
    /// The step of the last code that was taken: it and those before it open nothing any more.
    pub last_step: u64,
    /// The hashes of the recovery codes that were not used.
    pub recovery: Vec<String>,
}

/// That somebody has the phone, or a recovery code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// A code of this step.
    Step(u64),
    /// A recovery code that is kept as this.
    Recovery(String),
}

impl SecondStep {
    /// It once `proof` is used up, which opens nothing a second time. None where it was used before, or is none of its own.
    pub fn once_used(mut self, proof: &Proof) -> Option<SecondStep> {
        match proof {
            Proof::Step(step) => (*step > self.last_step).then_some(SecondStep { last_step: *step, ..self }),
            Proof::Recovery(kept) => {
                let place = self.recovery.iter().position(|known| known == kept)?;
                self.recovery.remove(place);
                Some(self)
            }
        }
    }
}

/// What phone and house share.
pub struct SharedSecret([u8; SECRET_BYTES]);

impl SharedSecret {
    /// The secret of these bytes, which are random.
    pub fn of(bytes: [u8; SECRET_BYTES]) -> SharedSecret {
        SharedSecret(bytes)
    }

    /// The secret that was kept as `bytes`. None where they are no secret.
    pub fn kept(bytes: &[u8]) -> Option<SharedSecret> {
        bytes.try_into().ok().map(SharedSecret)
    }

    /// As it is kept.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// As it is typed into a phone that reads no picture (base 32), in groups of four.
    pub fn letters(&self) -> String {
        in_groups(&totp_rs::Secret::from(self.0).to_base32())
    }

    /// The address by which an app on a phone takes it (`otpauth://totp/…`), for the admin `name` of `shop`.
    ///
    /// # Errors
    /// `INTERNAL` where no address can be made of the names.
    pub fn address(&self, shop: &str, name: &str) -> Result<String> {
        // A colon divides the two in the address.
        let (shop, name) = (shop.replace(':', " "), name.replace(':', " "));
        let totp = self.rule().with_issuer(Some(shop)).with_account_name(name).build().map_err(Error::internal)?;
        totp.to_url().map_err(Error::internal)
    }

    /// The step of which `code` is at `now`, give or take one. None where it is another's.
    pub fn step_of(&self, code: &str, now: DateTime<Utc>) -> Option<u64> {
        self.totp().check(code, u64::try_from(now.timestamp()).ok()?)
    }

    /// The code that the phone shows at `now`.
    #[cfg(test)]
    fn code_at(&self, now: u64) -> String {
        self.totp().generate(now).to_string()
    }

    fn totp(&self) -> Totp {
        self.rule().build_noncompliant()
    }

    fn rule(&self) -> Builder {
        Builder::new().with_secret(self.0).with_digits(DIGITS).with_step_duration(STEP).with_skew(SKEW)
    }
}

/// `text` as a QR code: a picture of its own (SVG), dark on light in any theme.
///
/// # Errors
/// `INTERNAL` where the text is too long for one.
pub fn picture_of(text: &str) -> Result<String> {
    let code = QrCode::encode_text(text, QrCodeEcc::Medium).map_err(Error::internal)?;
    let squares = (0..code.size()).flat_map(|y| (0..code.size()).map(move |x| (x, y)));
    let dark = squares.filter(|(x, y)| code.get_module(*x, *y));
    let drawn: String = dark.map(|(x, y)| format!("M{} {}h1v1h-1z", x + EDGE, y + EDGE)).collect();
    let size = code.size() + 2 * EDGE;
    Ok(format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {size} {size}\" width=\"240\" height=\"240\" \
         shape-rendering=\"crispEdges\" aria-hidden=\"true\"><path fill=\"#fff\" d=\"M0 0h{size}v{size}H0z\"/>\
         <path fill=\"#000\" d=\"{drawn}\"/></svg>"
    ))
}

/// A recovery code of random `bytes`, in groups of four.
pub fn recovery_code(bytes: [u8; RECOVERY_BYTES]) -> String {
    let number = bytes.iter().fold(0u128, |number, byte| number << 8 | u128::from(*byte));
    let places = (0..RECOVERY_LETTERS).rev();
    let letters: String = places.map(|place| char::from(LETTERS[(number >> (5 * place)) as usize & 31])).collect();
    in_groups(&letters)
}

/// How the recovery code of these `letters` of the admin `name` is kept.
pub fn kept_recovery(name: &str, letters: &str) -> String {
    fingerprint(&format!("admin recovery code {name} {letters}"))
}

fn in_groups(letters: &str) -> String {
    let signs: Vec<char> = letters.chars().collect();
    signs.chunks(4).map(String::from_iter).collect::<Vec<_>>().join("-")
}

/// What somebody types in the second step.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypedCode {
    /// What the phone shows.
    OfPhone(String),
    /// The letters of a recovery code.
    Recovery(String),
}

/// What is no code: nothing is opened by it.
impl Default for TypedCode {
    fn default() -> Self {
        TypedCode::OfPhone(String::new())
    }
}

impl TypedCode {
    /// What was typed, with blanks and dashes wherever people put them ([`TYPED`]). None where it is neither.
    fn read(typed: &str) -> Option<TypedCode> {
        if typed.chars().nth(LONGEST_TYPED).is_some() {
            return None;
        }
        let plain = typed.chars().filter(|c| !DIVIDERS.contains(c)).map(|c| match c.to_ascii_lowercase() {
            'o' => '0',
            'i' | 'l' => '1',
            c => c,
        });
        let plain: String = plain.collect();
        if plain.len() == usize::from(DIGITS) && plain.bytes().all(|c| c.is_ascii_digit()) {
            return Some(TypedCode::OfPhone(plain));
        }
        let is_recovery = plain.len() == RECOVERY_LETTERS && plain.bytes().all(|c| LETTERS.contains(&c));
        is_recovery.then_some(TypedCode::Recovery(plain))
    }
}

/// A code of the second step.
#[derive(Debug)]
pub enum Code {}

impl Constraint for Code {
    type Input = String;
    type Value = TypedCode;

    fn check(sent: String) -> Result<TypedCode, ValidationErrors> {
        TypedCode::read(&sent).ok_or_else(|| CODE.into())
    }

    fn schema(_components: &mut Components) -> RefOr<Schema> {
        let text = Object::with_type(BasicType::String).min_length(usize::from(DIGITS)).max_length(LONGEST_TYPED);
        text.pattern(TYPED).examples(["123456"]).into()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The secret of RFC 6238, appendix B, for SHA-1.
    const OF_THE_RFC: SharedSecret = SharedSecret(*b"12345678901234567890");

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(seconds, 0).unwrap()
    }

    #[test]
    fn codes_are_those_of_the_appendix_of_rfc_6238() {
        // There with eight digits, of which six are the last.
        let table: [(u64, &str); 6] = [
            (59, "94287082"),
            (1_111_111_109, "07081804"),
            (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ];
        for (time, eight) in table {
            assert_eq!(OF_THE_RFC.code_at(time), eight[2..], "{time}");
            let now = DateTime::from_timestamp(time as i64, 0).unwrap();
            assert_eq!(OF_THE_RFC.step_of(&eight[2..], now), Some(time / 30), "{time}");
        }
    }

    #[test]
    fn a_code_is_taken_one_step_before_and_after_its_time_and_no_further() {
        let code = OF_THE_RFC.code_at(1_234_567_890);
        let step = 1_234_567_890 / 30;
        // The step begins at …890 and ends at …919.
        for seconds in [-30, -1, 0, 29, 30, 59] {
            assert_eq!(OF_THE_RFC.step_of(&code, at(1_234_567_890 + seconds)), Some(step), "{seconds}");
        }
        for seconds in [-31, 60, 90] {
            assert_eq!(OF_THE_RFC.step_of(&code, at(1_234_567_890 + seconds)), None, "{seconds}");
        }
        assert_eq!(OF_THE_RFC.step_of(&code, at(-1)), None, "before 1970 there are no codes");
        assert_eq!(OF_THE_RFC.step_of(&OF_THE_RFC.code_at(10), at(5)), Some(0));
    }

    #[test]
    fn the_address_names_shop_and_admin_in_any_script() {
        let address = OF_THE_RFC.address("한옥: 공방", "민수").unwrap();
        assert!(address.starts_with("otpauth://totp/"), "{address}");
        assert!(address.contains("secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"), "{address}");
        assert!(address.contains("issuer=%ED%95%9C%EC%98%A5%20%20%EA%B3%B5%EB%B0%A9"), "{address}");
        assert!(address.is_ascii(), "{address}");
        assert_eq!(OF_THE_RFC.letters(), "GEZD-GNBV-GY3T-QOJQ-GEZD-GNBV-GY3T-QOJQ");
    }

    #[test]
    fn a_picture_says_the_address_and_brings_no_script() {
        let picture = picture_of(&OF_THE_RFC.address("hanok", "minsu").unwrap()).unwrap();
        assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>"));
        assert!(!picture.contains("style=") && !picture.contains("script"), "{picture}");
        assert!(picture_of(&"x".repeat(3_000)).is_err());
        // The smallest has 21 squares a side, and four of quiet on each; the first dark one is the corner of its finder.
        let smallest = picture_of("a").unwrap();
        assert!(
            smallest.contains(" viewBox=\"0 0 29 29\" ") && smallest.contains(" d=\"M4 4h1v1h-1zM5 4h1"),
            "{smallest}"
        );
        // Three finders stand in three of the corners; the fourth has none.
        for (corner, is_finder) in [((4, 4), true), ((18, 4), true), ((4, 18), true), ((18, 18), false)] {
            let ((x, y), has) = (corner, |x: i32, y: i32| smallest.contains(&format!("M{x} {y}h1v1h-1z")));
            let is_ring = (0..7).all(|at| has(x + at, y) && has(x + at, y + 6) && has(x, y + at) && has(x + 6, y + at));
            assert_eq!(is_ring && has(x + 3, y + 3) && !has(x + 1, y + 1), is_finder, "{corner:?}");
        }
    }

    #[test]
    fn a_secret_is_kept_whole_or_is_none() {
        let bytes = *b"12345678901234567890";
        assert_eq!(SharedSecret::kept(SharedSecret::of(bytes).bytes()).map(|kept| kept.0), Some(bytes));
        for length in [0, 19] {
            assert!(SharedSecret::kept(&bytes[..length]).is_none(), "{length}");
        }
        assert!(SharedSecret::kept(&[0; 21]).is_none());
    }

    #[test]
    fn what_is_typed_is_read_however_it_is_divided() {
        for typed in ["123456", " 123 456 ", "123-456"] {
            assert_eq!(TypedCode::read(typed), Some(TypedCode::OfPhone("123456".to_owned())), "{typed}");
        }
        let code = recovery_code([0x0f, 0x1e, 0x2d, 0x3c, 0x4b, 0x5a, 0x69, 0x78, 0x87, 0x96]);
        assert_eq!((code.as_str(), recovery_code([0; 10])), ("1wf2-tf2b-b9mq-h1wp", "0000-0000-0000-0000".to_owned()));
        let read = TypedCode::read(&code).unwrap();
        assert_eq!(read, TypedCode::Recovery(code.replace('-', "")));
        assert_eq!(
            TypedCode::read(&code.to_uppercase().replace('-', " ").replace('0', "O").replace('1', "I")),
            Some(read.clone())
        );
        assert_eq!(TypedCode::read(&code.replace('1', "l")), Some(read));
        for odd in ["", "12345", "1234567", "12345a", "１２３４５６", "uuuu-uuuu-uuuu-uuuu", &"0".repeat(17)] {
            assert_eq!(TypedCode::read(odd), None, "{odd}");
        }
    }

    proptest! {
        #[test]
        fn the_document_takes_just_the_codes_that_are_read(typed in prop_oneof![
            "[0-9OoIiLlUu \t\u{a0}\u{3000}\u{2003}\n-]{5,9}",
            "[0-9A-Za-z]{4}([ -]?[0-9A-Za-z]{4}){2,4}",
            "[- ]{30,36}[0-9]{5,7}",
            "\\PC{0,20}",
        ]) {
            let pattern = regex::Regex::new(TYPED).unwrap();
            let is_documented = pattern.is_match(&typed) && typed.chars().count() <= LONGEST_TYPED;
            prop_assert_eq!(TypedCode::read(&typed).is_some(), is_documented);
        }
    }

    #[test]
    fn a_proof_that_was_used_is_none_any_more_and_no_code_from_before_it() {
        let kept = |letters| kept_recovery("minsu", letters);
        let step = SecondStep {
            name: "minsu".to_owned(),
            sealed: String::new(),
            since: at(0),
            last_step: 100,
            recovery: vec![kept("a"), kept("b")],
        };
        for used in [99, 100] {
            assert_eq!(step.clone().once_used(&Proof::Step(used)), None);
        }
        assert_eq!(step.clone().once_used(&Proof::Step(101)).unwrap().last_step, 101);
        let recovery = Proof::Recovery(kept("a"));
        let once = step.once_used(&recovery).unwrap();
        assert_eq!((&once.recovery[..], once.last_step), (&[kept("b")][..], 100));
        assert_eq!(once.once_used(&recovery), None);
    }

    #[test]
    fn no_two_recovery_codes_of_a_house_are_kept_alike() {
        assert_ne!(kept_recovery("minsu", "0000000000000000"), kept_recovery("jiwoo", "0000000000000000"));
    }
}
