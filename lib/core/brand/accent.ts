/** Channels from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

/** An accent colour: six hexadecimal digits, as in colour inputs of browsers. */
export const accentFormat = /^#[0-9a-f]{6}$/;

/** The background with the lowest contrast in each theme: a row under the pointer (app/globals.css). */
export const accentGrounds = { light: '#eff3f3', dark: '#1f262a' } as const;
/** Minimum contrast for text (WCAG 2.2, success criterion 1.4.3). */
export const readableContrast = 4.5;
const step = 0.02;

/**
 * The shades of an accent colour that are readable as text in the light and in the dark theme: the colour itself if
 * possible, otherwise the nearest darker or lighter shade.
 * @param accent in the format above
 */
export function readableAccent(accent: string): { readonly light: string; readonly dark: string } {
  return {
    light: nearestReadable(accent, accentGrounds.light, [0, 0, 0]),
    dark: nearestReadable(accent, accentGrounds.dark, [255, 255, 255]),
  };
}

function nearestReadable(accent: string, ground: string, towards: Rgb): string {
  const from = channelsOf(accent);
  for (let share = 0; share < 1; share += step) {
    const shade = hexOf(mix(from, towards, share));
    if (contrastOf(shade, ground) >= readableContrast) return shade;
  }
  return hexOf(towards);
}

/** Contrast ratio of WCAG 2.2, 1 to 21. */
export function contrastOf(foreground: string, background: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(foreground), luminanceOf(background)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance of WCAG 2.2. */
function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: string): Rgb {
  const channel = (at: number) => Number.parseInt(color.slice(at, at + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

function mix([red, green, blue]: Rgb, [toRed, toGreen, toBlue]: Rgb, share: number): Rgb {
  const between = (from: number, to: number) => Math.round(from + (to - from) * share);
  return [between(red, toRed), between(green, toGreen), between(blue, toBlue)];
}

const hexOf = (channels: Rgb): string =>
  `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
