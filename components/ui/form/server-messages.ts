/** The text with a capital first letter. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** An error message of the service, with a capital letter and a period. */
export function asSentence(text: string): string {
  return capital(text) + (/[.!?…]$/.test(text) ? '' : '.');
}

/**
 * Error messages of the service start with a field: `name: must not be empty`. These functions choose their place.
 */

function fieldOf(sentence: string): string | undefined {
  return /^([a-zA-Z]+)[^:\s]*: /.exec(sentence)?.[1];
}

/** The error message about a field; undefined = none. */
export function errorMessageFor(field: string, errorMessages: readonly string[]): string | undefined {
  const fieldMessages = errorMessages.filter((sentence) => fieldOf(sentence) === field);
  return fieldMessages.length === 0
    ? undefined
    : fieldMessages.map((each) => capital(each.slice(each.indexOf(': ') + 2))).join('. ');
}

/** Error messages that belong to none of the shown fields. */
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
