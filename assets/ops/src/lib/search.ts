/** Finding by typing: parts of words in any order, and initial consonants for Korean (`ㅂㅎ` finds 보험). */

const INITIALS = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const SYLLABLES_PER_INITIAL = 588;

/** Whether every word of the query is somewhere in the text, as written or by its initial consonants. */
export function matches(query: string, text: string): boolean {
  const words = fold(query).split(/\s+/).filter(Boolean);
  const whole = fold(text);
  const initials = initialsOf(whole);
  return words.every((word) => whole.includes(word) || (isInitials(word) && initials.includes(word)));
}

function fold(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

function isInitials(word: string): boolean {
  return [...word].every((letter) => INITIALS.includes(letter));
}

function initialsOf(text: string): string {
  return [...text].map((letter) => {
    const code = letter.codePointAt(0) ?? 0;
    if (code < FIRST_SYLLABLE || code > LAST_SYLLABLE) return letter;
    return INITIALS[Math.floor((code - FIRST_SYLLABLE) / SYLLABLES_PER_INITIAL)] ?? letter;
  }).join('');
}
