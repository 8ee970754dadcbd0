/** Channels from 0 to 255. */
type Rgb = readonly [red: number, green: number, blue: number];

/** Format of an accent color: `#` and six hexadecimal digits, as in color inputs of browsers. */
export const accentFormat = /^#[0-9a-f]{6}$/;

/** The background of each theme on which text has the lowest contrast: a row under the pointer (app/globals.css). */
export const accentBackgrounds = { light: '#eff3f3', dark: '#1f262a' } as const;
/** Minimum contrast for text (WCAG 2.2, success criterion 1.4.3). */
export const READABLE_CONTRAST = 4.5;
/** Step in which an accent color is mixed with black or white until it is readable. */
const FRACTION_STEP = 0.02;

/**
 * The shades of an accent color that are readable as text in the light and in the dark theme: the color itself if it is
 * readable, otherwise the nearest darker or lighter shade that is.
 * @param accent a color in the format `accentFormat`
 */
export function readableShadesOf(accent: string): { readonly light: string; readonly dark: string } {
  return {
    light: nearestReadable(accent, accentBackgrounds.light, [0, 0, 0]),
    dark: nearestReadable(accent, accentBackgrounds.dark, [255, 255, 255]),
  };
}

function nearestReadable(accent: string, background: string, target: Rgb): string {
  const accentChannels = channelsOf(accent);
  for (let fraction = 0; fraction < 1; fraction += FRACTION_STEP) {
    const shade = hexOf(mixColors(accentChannels, target, fraction));
    if (contrastOf(shade, background) >= READABLE_CONTRAST) return shade;
  }
  return hexOf(target);
}

/** Contrast ratio of WCAG 2.2, 1 to 21. */
export function contrastOf(foreground: string, background: string): number {
  const [lighter = 0, darker = 0] = [luminanceOf(foreground), luminanceOf(background)].sort((a, b) => b - a);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Relative luminance of WCAG 2.2. */
function luminanceOf(color: string): number {
  const [red, green, blue] = channelsOf(color).map((value) => {
    // The transfer function of sRGB.
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as unknown as Rgb;
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function channelsOf(color: string): Rgb {
  const channel = (offset: number) => Number.parseInt(color.slice(offset, offset + 2), 16);
  return [channel(1), channel(3), channel(5)];
}

function mixColors([red, green, blue]: Rgb, [toRed, toGreen, toBlue]: Rgb, fraction: number): Rgb {
  const interpolate = (from: number, to: number) => Math.round(from + (to - from) * fraction);
  return [interpolate(red, toRed), interpolate(green, toGreen), interpolate(blue, toBlue)];
}

const hexOf = (channels: Rgb): string =>
  `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
