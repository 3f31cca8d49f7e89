/**
 * Korean particles whose form follows the last sound of the word before them: 백업을, but 메모를. Figures are taken as they are
 * read, Latin letters as they sound in Korean; the server does the same (`src/base/korean.rs`).
 */

const PAIRS = new Set(['을|를', '이|가', '은|는', '과|와', '으로|로', '이어야|여야', '이나|나', '이라|라', '이라고|라고', '이며|며']);

/** How a word ends: in a vowel, in ㄹ (after which it is 로) or in another consonant. */
type Ending = 'vowel' | 'rieul' | 'consonant';

/** Whether two forms are those of one particle: the one after a consonant, then the one after a vowel. */
export function isParticle(afterConsonant: string, afterVowel: string): boolean {
  return PAIRS.has(`${afterConsonant}|${afterVowel}`);
}

/** The form that follows `word`: `particle('서울', '으로', '로')` is 로. Quotes and brackets behind the word do not count. */
export function particle(word: string, afterConsonant: string, afterVowel: string): string {
  const ending = endingOf(word);
  return ending === 'vowel' || (ending === 'rieul' && afterConsonant === '으로') ? afterVowel : afterConsonant;
}

function endingOf(word: string): Ending {
  const last = /[\p{L}\p{N}%](?=[^\p{L}\p{N}%]*$)/u.exec(word);
  if (!last) return 'vowel';
  const [letter] = last;
  if (/[가-힣]/.test(letter)) {
    const final = (letter.charCodeAt(0) - 0xac00) % 28;
    return final === 0 ? 'vowel' : final === 8 ? 'rieul' : 'consonant';
  }
  // 영 (and 십, 백, 천, 만), 일, 이, 삼, 사, 오, 육, 칠, 팔, 구; capital letters by their names: 엘, 엠, 엔, 알.
  if (/[178LR]/.test(letter)) return 'rieul';
  if (/[036MN]/.test(letter)) return 'consonant';
  const end = word.slice(0, last.index + 1);
  if (/le?$/.test(end)) return 'rieul';
  return /(?:[mn]e?|ng|[aeiou]c?[bckpt])$/.test(end) ? 'consonant' : 'vowel';
}
