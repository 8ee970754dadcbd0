export interface EmbedOptions {
  readonly autoplay: boolean;
  readonly muted: boolean;
  readonly controls: boolean;
}

type Query = Readonly<Record<string, string | string[] | undefined>>;

const no = new Set(['0', 'false', 'no', 'off']);

/** `?autoplay&muted&controls` of an embed: all of them are on unless the address says `=0`. */
export function embedOptions(query: Query): EmbedOptions {
  const isOn = (name: keyof EmbedOptions) => {
    const value = [query[name]].flat().at(-1);
    return value === undefined || !no.has(value.toLowerCase());
  };
  return { autoplay: isOn('autoplay'), muted: isOn('muted'), controls: isOn('controls') };
}
