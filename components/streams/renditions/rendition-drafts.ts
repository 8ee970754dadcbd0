import { presetsFor } from '@/components/assets/transcode-presets';
import type { Translator } from '@/components/i18n/messages';
import { capital } from '@/components/ui/form/server-messages';
import { parseInput } from '@/lib/contract/issues';
import { profiles as profilesSchema, type Profile } from '@/lib/contract/streams/profile';
import type { TranslateMessage } from '@/lib/client/server-messages';
import { reasonOfInput } from '@/lib/core/reasons/input-reason';
import { AppError, issueMessage, type FieldIssue, type Issue } from '@/lib/core/errors';
import { profilesFault, sourceProfile } from '@/lib/core/renditions/profile-rules';
import { z } from 'zod';

/** Form values of a rendition. */
export interface RenditionDraft {
  readonly name: string;
  readonly width: string;
  readonly height: string;
  readonly kilobits: string;
  readonly fps: string;
  /** Profile before editing, with fields that the form lacks; null for a new rendition. */
  readonly before: Profile | null;
}

export type RenditionField = 'name' | 'width' | 'height' | 'kilobits' | 'fps';

/** Errors by rendition and field, and errors of the whole form. */
export interface RenditionFaults {
  readonly fields: readonly {
    readonly at: number;
    readonly field: RenditionField;
    readonly message: string;
  }[];
  readonly otherErrors: readonly string[];
}

/** The usual ladder for 16:9 video. */
export const renditionPresets: readonly Profile[] = presetsFor({ width: 3840, height: 2160 }).filter(
  ({ height }) => height >= 360,
);

export const emptyDraft: RenditionDraft = {
  name: '',
  width: '',
  height: '',
  kilobits: '',
  fps: '0',
  before: null,
};

export function draftOf(profile: Profile): RenditionDraft {
  const { name, width, height, bitrate, fps } = profile;
  return {
    name,
    width: String(width),
    height: String(height),
    kilobits: String(bitrate / 1_000),
    fps: String(fps),
    before: profile,
  };
}

/** Draft from a preset of the usual ladder. */
export const presetDraft = (preset: Profile): RenditionDraft => ({ ...draftOf(preset), before: null });

/** Profile for the API. Fields that the form lacks keep their previous values. */
function profileOf({ name, width, height, kilobits, fps, before }: RenditionDraft) {
  const { fpsDen, ...profileFields } = before ?? {};
  const frameRate = numberOf(fps);
  const kilobitRate = numberOf(kilobits);
  return {
    ...profileFields,
    // The denominator is kept only for the frame rate that it belongs to.
    ...(fpsDen !== undefined && before?.fps === frameRate ? { fpsDen } : {}),
    name: name.trim(),
    width: numberOf(width),
    height: numberOf(height),
    bitrate: kilobitRate === undefined ? undefined : Math.round(kilobitRate * 1_000),
    fps: frameRate,
  };
}

/** Undefined for an empty field, NaN for an invalid number. */
function numberOf(text: string): number | undefined {
  return text.trim() === '' ? undefined : Number(text.trim().replace(',', '.'));
}

const body = z.object({ profiles: profilesSchema });

/**
 * The renditions of the form, or their validation errors. `sentTo`: names of renditions sent to multistream targets.
 */
export function readDrafts(
  t: Translator<'streams.renditionDrafts'>,
  drafts: readonly RenditionDraft[],
  sentTo: readonly string[],
  translateMessage: TranslateMessage,
): { readonly profiles: Profile[] } | { readonly faults: RenditionFaults } {
  let profiles: Profile[];
  try {
    ({ profiles } = parseInput(body, { profiles: drafts.map(profileOf) }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return {
      faults: placeIssues(error.issues, (message) => translateMessage(message, reasonOfInput(message))),
    };
  }
  const names = new Set(profiles.map(({ name }) => name));
  const clash = profiles.findIndex((_, index) => profilesFault(profiles.slice(0, index + 1)) !== null);
  if (clash >= 0) {
    const { name = '' } = profiles[clash] ?? {};
    const isReserved = name.toLowerCase() === sourceProfile;
    const message = t(isReserved ? 'sourceIsTaken' : 'nameIsTaken');
    return { faults: { fields: [{ at: clash, field: 'name', message }], otherErrors: [] } };
  }
  const unknownProfiles = [...new Set(sentTo)].filter((name) => name !== sourceProfile && !names.has(name));
  if (unknownProfiles.length > 0) {
    const otherErrors = unknownProfiles.map((name) => t('usedByTarget', { name }));
    return { faults: { fields: [], otherErrors } };
  }
  return { profiles };
}

const fieldNames: Readonly<Record<string, RenditionField>> = {
  name: 'name',
  width: 'width',
  height: 'height',
  bitrate: 'kilobits',
  fps: 'fps',
};

/** Assigns issues of fields such as `profiles[0].width` to the fields of the form. */
export function placeIssues(
  issues: readonly Issue[],
  translate = (message: string) => message,
): RenditionFaults {
  const fields: RenditionFaults['fields'][number][] = [];
  const otherErrors: string[] = [];
  for (const issue of issues) {
    const place = typeof issue === 'string' ? null : placeOf(issue);
    if (typeof issue === 'string' || !place) otherErrors.push(capital(translate(issueMessage(issue))));
    else {
      const message = place.field === 'kilobits' ? inKilobits(issue.message) : issue.message;
      fields.push({ ...place, message: capital(translate(message)) });
    }
  }
  return { fields, otherErrors };
}

function placeOf({ field: path }: FieldIssue): { at: number; field: RenditionField } | null {
  const [, at, name = ''] = /^profiles\[(\d+)\]\.(\w+)$/.exec(path) ?? [];
  const field = fieldNames[name];
  return at === undefined || !field ? null : { at: Number(at), field };
}

/** Converts the limit in a message: the API is in bits per second, the form in kilobits. */
function inKilobits(message: string): string {
  return message.replace(/\d+$/, (bits) => `${(Number(bits) / 1_000).toLocaleString('en')} kbit/s`);
}
