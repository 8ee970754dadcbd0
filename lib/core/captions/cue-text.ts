/** Pattern of the tokens of a cue payload (W3C WebVTT): tags, entities and text. */
const tokenPattern = /<(\/?)([A-Za-z]{0,8})([^<>]*)>|&(?:amp|lt|gt|lrm|rlm|nbsp);|[<>&]|[^<>&]+/g;
/** Pattern of the style overrides of SubStation Alpha, which some SubRip files contain. */
const styleOverridePattern = /\{\\[^{}]*\}/g;
const allowedTags = new Set(['b', 'i', 'u', 'c', 'ruby', 'rt', 'v', 'lang']);
const classesPattern = /^(?:\.[A-Za-z0-9_]{1,40}){0,8}/;
const timestampPattern = /^\d{2,4}:[0-5]\d:[0-5]\d\.\d{3}$|^[0-5]\d:[0-5]\d\.\d{3}$/;
const escapes: Readonly<Record<string, string>> = { '<': '&lt;', '>': '&gt;', '&': '&amp;' };

/**
 * Makes a cue payload valid WebVTT. Tags of WebVTT are kept, tags of other formats, such as `<font>` and `{\an8}`, are
 * dropped, and other special characters are escaped.
 */
export function sanitizeCueText(text: string): string {
  const cleanText = text.replaceAll(styleOverridePattern, '');
  const sanitizedText = cleanText.replaceAll(
    tokenPattern,
    (tag: string, slash?: string, name?: string, attributes: string = '') => {
      if (slash === undefined || name === undefined) return escapes[tag] ?? tag;
      if (name === '')
        return slash === '' && timestampPattern.test(attributes) ? tag : escapeTag(tag, attributes);
      return sanitizeTag(name.toLowerCase(), slash, attributes);
    },
  );
  // Removing a nested override leaves the opening of the outer one.
  return sanitizedText.replaceAll(/\{\\+/g, '{');
}

/** Escapes a tag without a name, as in `a < b > c`; drops an invalid timestamp tag. */
const escapeTag = (tag: string, attributes: string): string =>
  /^\d/.test(attributes) ? '' : tag.replaceAll(/[<>&]/g, (character) => escapes[character] ?? character);

function sanitizeTag(name: string, slash: string, attributes: string): string {
  if (!allowedTags.has(name)) return '';
  if (slash !== '') return `</${name}>`;
  const [classList = ''] = classesPattern.exec(attributes) ?? [];
  const annotation = attributes
    .slice(classList.length)
    .replaceAll(/\s+/g, ' ')
    // An arrow would start the timing line of the next cue.
    .replaceAll(/--+/g, '-')
    .replaceAll(/&(?!(?:amp|lt|gt|lrm|rlm|nbsp);)/g, '&amp;')
    .trim();
  return name === 'v' || name === 'lang'
    ? `<${name}${classList}${annotation && ` ${annotation}`}>`
    : `<${name}${classList}>`;
}

const charactersOfEntities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  nbsp: ' ',
  lrm: '',
  rlm: '',
};

/**
 * The visible text of a cue.
 * @param text a payload that `sanitizeCueText` returned
 */
export const plainCueText = (text: string): string =>
  text
    .replaceAll(/<[^<>]*>/g, '')
    .replaceAll(/&(\w+);/g, (_, name: string) => charactersOfEntities[name] ?? '');
