//! What all answers to a questionnaire say together.

use super::answers::AnswerValue;
use super::kind::{ChoiceOption, QuestionKind, Questionnaire, Words};
use super::{Answer, Response};

/// What all answers to a questionnaire say together.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Summary {
    /// How many have come in.
    pub responses: u64,
    /// How many of them name a mail address.
    pub with_email: u64,
    /// The median of the seconds that they took, where any says it.
    pub median_seconds: Option<f64>,
    /// Each question: those of today, and after them those that were asked earlier.
    pub questions: Vec<QuestionSummary>,
    seconds: Vec<f64>,
}

/// What all answers to a question say together.
#[derive(Debug, Clone, PartialEq)]
pub struct QuestionSummary {
    /// Its key.
    pub key: String,
    /// What was asked.
    pub text: Words,
    /// Its kind.
    pub kind: QuestionKind,
    /// How many have answered it.
    pub answered: u64,
    /// How often each option was chosen, in the order of the options.
    pub counts: Vec<(ChoiceOption, u64)>,
    /// How often a text was given that is none of the options.
    pub others: u64,
    /// The mean of the numbers, where there are any.
    pub mean: Option<f64>,
    /// Their median: of an even number of them the mean of the two in the middle.
    pub median: Option<f64>,
    numbers: Vec<f64>,
}

impl Summary {
    /// Begins with the questions of `questionnaire`.
    pub fn of(questionnaire: Option<&Questionnaire>) -> Summary {
        let questions = questionnaire.map_or(&[][..], |questionnaire| &questionnaire.questions).iter();
        let begun = |question: &super::Question| {
            let mut summary = QuestionSummary::new(&question.key, &question.text, question.kind);
            if matches!(question.kind, QuestionKind::Choice | QuestionKind::Choices) {
                summary.counts = question.options.iter().map(|option| (option.clone(), 0)).collect();
            }
            summary
        };
        Summary { questions: questions.map(begun).collect(), ..Summary::default() }
    }

    /// Counts the answers of one more.
    pub fn add(&mut self, response: &Response) {
        self.responses += 1;
        self.with_email += u64::from(response.email().is_some());
        self.seconds.extend(response.source.completion_seconds.map(f64::from));
        for answer in &response.answers {
            let place = self.questions.iter().position(|known| known.key == answer.key && known.kind == answer.kind);
            let place = place.unwrap_or_else(|| {
                self.questions.push(QuestionSummary::new(&answer.key, &answer.text, answer.kind));
                self.questions.len() - 1
            });
            self.questions[place].add(answer);
        }
    }

    /// It when all are counted.
    pub fn finished(mut self) -> Summary {
        self.median_seconds = median(&mut self.seconds);
        for question in &mut self.questions {
            let count = question.numbers.len();
            question.mean = (count > 0).then(|| question.numbers.iter().sum::<f64>() / count as f64);
            question.median = median(&mut question.numbers);
        }
        self
    }
}

impl QuestionSummary {
    fn new(key: &str, text: &Words, kind: QuestionKind) -> QuestionSummary {
        let counts = match kind {
            QuestionKind::YesNo => vec![(option("true", "예", "Yes"), 0), (option("false", "아니요", "No"), 0)],
            QuestionKind::Scale => {
                ["1", "2", "3", "4", "5"].into_iter().map(|point| (option(point, point, point), 0)).collect()
            }
            _ => Vec::new(),
        };
        let (key, text) = (key.to_owned(), text.clone());
        QuestionSummary {
            key,
            text,
            kind,
            answered: 0,
            counts,
            others: 0,
            mean: None,
            median: None,
            numbers: Vec::new(),
        }
    }

    fn add(&mut self, answer: &Answer) {
        let Some(value) = &answer.value else { return };
        self.answered += 1;
        match value {
            AnswerValue::Text(text) if self.kind == QuestionKind::Choice => self.count(text, &answer.chosen),
            AnswerValue::Texts(texts) => texts.iter().for_each(|text| self.count(text, &answer.chosen)),
            AnswerValue::YesNo(yes) => self.count(&yes.to_string(), &[]),
            AnswerValue::Number(number) => {
                self.numbers.push(*number);
                if self.kind == QuestionKind::Scale {
                    self.count(&number.to_string(), &[]);
                }
            }
            AnswerValue::Text(_) => {}
        }
    }

    fn count(&mut self, value: &str, chosen: &[ChoiceOption]) {
        if let Some((_, count)) = self.counts.iter_mut().find(|(option, _)| option.value == value) {
            *count += 1;
            return;
        }
        match chosen.iter().find(|option| option.value == value) {
            Some(option) => self.counts.push((option.clone(), 1)),
            None => self.others += 1,
        }
    }
}

fn option(value: &str, ko: &str, en: &str) -> ChoiceOption {
    ChoiceOption { value: value.to_owned(), ko: ko.to_owned(), en: en.to_owned() }
}

fn median(numbers: &mut [f64]) -> Option<f64> {
    numbers.sort_by(f64::total_cmp);
    let middle = numbers.len() / 2;
    match numbers {
        [] => None,
        numbers if numbers.len() % 2 == 1 => Some(numbers[middle]),
        numbers => Some((numbers[middle - 1] + numbers[middle]) / 2.0),
    }
}
