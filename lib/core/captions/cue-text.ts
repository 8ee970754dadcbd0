/** The payload of a cue (W3C WebVTT): known tags and escaped text. */

const token = /<(\/?)([A-Za-z]{0,8})([^<>]*)>|&(?:amp|lt|gt|lrm|rlm|nbsp);|[<>&]|[^<>&]+/g;
/** Style overrides of SubStation Alpha, which occur in SubRip files. */
const override = /\{\\[^{}]*\}/g;
const plainTags = new Set(['b', 'i', 'u', 'c', 'ruby', 'rt', 'v', 'lang']);
const classes = /^(?:\.[A-Za-z0-9_]{1,40}){0,8}/;
const timestamp = /^\d{2,4}:[0-5]\d:[0-5]\d\.\d{3}$|^[0-5]\d:[0-5]\d\.\d{3}$/;
const escapes: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };

/**
 * Cue text that displays as plain text in every player. Tags of other formats, such as `<font>` and `{\an8}`, are dropped.
 */
export function safeCueText(text: string): string {
  const cleanText = text.replaceAll(override, '');
  const safe = cleanText.replaceAll(
    token,
    (tag: string, slash?: string, name?: string, attributes: string = '') => {
      if (slash === undefined || name === undefined) return escapes[tag] ?? tag;
      if (name === '') return slash === '' && timestamp.test(attributes) ? tag : escapeTag(tag, attributes);
      return tagOf(name.toLowerCase(), slash, attributes);
    },
  );
  // Removing a nested override leaves the opening of the outer one.
  return safe.replaceAll(/\{\\+/g, '{');
}

/** `a < b > c` is escaped; an invalid timestamp tag is dropped. */
const escapeTag = (tag: string, attributes: string): string =>
  /^\d/.test(attributes) ? '' : tag.replaceAll(/[<>&]/g, (each) => escapes[each] ?? each);

function tagOf(name: string, slash: string, attributes: string): string {
  if (!plainTags.has(name)) return '';
  if (slash !== '') return `</${name}>`;
  const [classList = ''] = classes.exec(attributes) ?? [];
  const note = attributes
    .slice(classList.length)
    .replaceAll(/\s+/g, ' ')
    // An arrow would start the timing line of the next cue.
    .replaceAll(/--+/g, '-')
    .replaceAll(/&(?!(?:amp|lt|gt|lrm|rlm|nbsp);)/g, '&amp;')
    .trim();
  return name === 'v' || name === 'lang'
    ? `<${name}${classList}${note && ` ${note}`}>`
    : `<${name}${classList}>`;
}

const characters: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '',
  rlm: '',
};

/** The visible text of a cue. @param text returned by `safeCueText` */
export const plainCueText = (text: string): string =>
  text.replaceAll(/<[^<>]*>/g, '').replaceAll(/&(\w+);/g, (_, name: string) => characters[name] ?? '');
