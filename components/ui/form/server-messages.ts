/** The same with a capital letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** An error message of the service, with a capital letter and a period. */
export function asSentence(text: string): string {
  return capital(text) + (/[.!?…]$/.test(text) ? '' : '.');
}

/** The service names the field first: `name: must not be empty`. These pick the place for each sentence. */

function fieldOf(sentence: string): string | undefined {
  return /^([a-zA-Z]+)[^:\s]*: /.exec(sentence)?.[1];
}

/** What the service says about one field; undefined = nothing. */
export function errorMessageFor(field: string, errorMessages: readonly string[]): string | undefined {
  const fieldMessages = errorMessages.filter((sentence) => fieldOf(sentence) === field);
  return fieldMessages.length === 0
    ? undefined
    : fieldMessages.map((each) => capital(each.slice(each.indexOf(': ') + 2))).join('. ');
}

/** What belongs to none of the fields on show. */
export function otherErrorMessages(
  fields: readonly string[],
  errorMessages: readonly string[],
): string | undefined {
  const otherMessages = errorMessages.filter((sentence) => {
    const field = fieldOf(sentence);
    return field === undefined || !fields.includes(field);
  });
  return otherMessages.length === 0 ? undefined : otherMessages.map(capital).join('. ');
}
