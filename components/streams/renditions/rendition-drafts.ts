import { presetsFor } from '@/components/assets/transcode-presets';
import type { Translator } from '@/components/i18n/messages';
import { capitalize } from '@/components/ui/form/server-messages';
import { parseInput } from '@/lib/contract/issues';
import { profiles as profilesSchema, type Profile } from '@/lib/contract/streams/profile';
import type { TranslateMessage } from '@/lib/client/server-messages';
import { reasonOfInput } from '@/lib/core/reasons/input-reason';
import { AppError, issueMessage, type FieldIssue, type Issue } from '@/lib/core/errors';
import { profilesFault, sourceProfile } from '@/lib/core/renditions/profile-rules';
import { z } from 'zod';

/** Form values of a rendition, as the user typed them. */
export interface RenditionDraft {
  readonly name: string;
  readonly width: string;
  readonly height: string;
  /** Bitrate in kbit/s. */
  readonly kilobits: string;
  /** Frames per second; "0" keeps the frame rate of the source. */
  readonly fps: string;
  /** Profile before editing, with fields that the form does not show; null for a new rendition. */
  readonly original: Profile | null;
}

export type RenditionField = 'name' | 'width' | 'height' | 'kilobits' | 'fps';

/** Errors by rendition and field, and errors of the whole form. */
export interface RenditionErrors {
  readonly fields: readonly {
    readonly renditionIndex: number;
    readonly field: RenditionField;
    readonly message: string;
  }[];
  readonly otherErrors: readonly string[];
}

/** Renditions that are offered for 16:9 video. Sizes below 360p are left out. */
export const renditionPresets: readonly Profile[] = presetsFor({ width: 3840, height: 2160 }).filter(
  ({ height }) => height >= 360,
);

export const emptyDraft: RenditionDraft = {
  name: '',
  width: '',
  height: '',
  kilobits: '',
  fps: '0',
  original: null,
};

/** Form values of an existing rendition. */
export function draftOf(profile: Profile): RenditionDraft {
  const { name, width, height, bitrate, fps } = profile;
  return {
    name,
    width: String(width),
    height: String(height),
    kilobits: String(bitrate / 1_000),
    fps: String(fps),
    original: profile,
  };
}

/** Form values of a new rendition with the values of a preset. */
export const presetDraft = (preset: Profile): RenditionDraft => ({ ...draftOf(preset), original: null });

/** Profile for the API. Fields that the form does not show keep their previous values. */
function profileOf({ name, width, height, kilobits, fps, original }: RenditionDraft) {
  const { fpsDen, ...profileFields } = original ?? {};
  const frameRate = parseNumber(fps);
  const kilobitRate = parseNumber(kilobits);
  return {
    ...profileFields,
    // The denominator is kept only for the frame rate that it belongs to.
    ...(fpsDen !== undefined && original?.fps === frameRate ? { fpsDen } : {}),
    name: name.trim(),
    width: parseNumber(width),
    height: parseNumber(height),
    bitrate: kilobitRate === undefined ? undefined : Math.round(kilobitRate * 1_000),
    fps: frameRate,
  };
}

/** Parses a number; undefined for an empty field, NaN for an invalid number. */
function parseNumber(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text.trim().replace(',', '.'));
}

const bodySchema = z.object({ profiles: profilesSchema });

/**
 * Parses the renditions of the form, or returns their validation errors.
 * @param targetRenditions names of renditions that are sent to multistream targets
 */
export function parseDrafts(
  t: Translator<'streams.renditionDrafts'>,
  drafts: readonly RenditionDraft[],
  targetRenditions: readonly string[],
  translateMessage: TranslateMessage,
): { readonly profiles: Profile[] } | { readonly errors: RenditionErrors } {
  let profiles: Profile[];
  try {
    ({ profiles } = parseInput(bodySchema, { profiles: drafts.map(profileOf) }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      errors: assignIssues(error.issues, (message) => translateMessage(message, reasonOfInput(message))),
    };
  }
  const names = new Set(profiles.map(({ name }) => name));
  const clashIndex = profiles.findIndex((_, index) => profilesFault(profiles.slice(0, index + 1)) !== null);
  if (clashIndex >= 0) {
    const { name = '' } = profiles[clashIndex] ?? {};
    const isReserved = name.toLowerCase() === sourceProfile;
    const message = t(isReserved ? 'sourceIsTaken' : 'nameIsTaken');
    const fields = [{ renditionIndex: clashIndex, field: 'name', message }] as const;
    return { errors: { fields, otherErrors: [] } };
  }
  const missingRenditions = [...new Set(targetRenditions)].filter(
    (name) => name !== sourceProfile && !names.has(name),
  );
  if (missingRenditions.length > 0) {
    const otherErrors = missingRenditions.map((name) => t('usedByTarget', { name }));
    return { errors: { fields: [], otherErrors } };
  }
  return { profiles };
}

/** Names of the form fields by the names of the fields of a profile in the API. */
const formFieldNames: Readonly<Record<string, RenditionField>> = {
  name: 'name',
  width: 'width',
  height: 'height',
  bitrate: 'kilobits',
  fps: 'fps',
};

/** Assigns issues of fields such as `profiles[0].width` to the fields of the form. */
export function assignIssues(
  issues: readonly Issue[],
  translate = (message: string) => message,
): RenditionErrors {
  const fields: RenditionErrors['fields'][number][] = [];
  const otherErrors: string[] = [];
  for (const issue of issues) {
    const fieldPosition = typeof issue === 'string' ? null : parseFieldPath(issue);
    if (typeof issue === 'string' || !fieldPosition)
      otherErrors.push(capitalize(translate(issueMessage(issue))));
    else {
      const message = fieldPosition.field === 'kilobits' ? convertToKilobits(issue.message) : issue.message;
      fields.push({ ...fieldPosition, message: capitalize(translate(message)) });
    }
  }
  return { fields, otherErrors };
}

/** Parses "profiles[0].width"; null if the path is not a field of the form. */
function parseFieldPath({
  field: path,
}: FieldIssue): { renditionIndex: number; field: RenditionField } | null {
  const [, renditionIndex, name = ''] = /^profiles\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  const field = formFieldNames[name];
  return renditionIndex === undefined || !field ? null : { renditionIndex: Number(renditionIndex), field };
}

/** Converts the limit at the end of a message from bit/s, the unit of the API, to kbit/s, the unit of the form. */
function convertToKilobits(message: string): string {
  return message.replace(/\d+$/, (bits) => `${(Number(bits) / 1_000).toLocaleString('en')} kbit/s`);
}
