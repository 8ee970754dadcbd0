import { resolve } from 'node:path';
import { z } from 'zod';
import { languageTag } from '@/lib/core/captions/track-language';

/** Speech recognition settings of this installation. */
export interface SpeechSettings {
  /** Folder of the model that the operator installed. */
  readonly modelDir: string;
  /** BCP 47 tags of the languages that the model recognises. */
  readonly languages: readonly string[];
}

const tagsExpected = { error: 'BCP 47 tags separated by commas, for example en,de' };
const languages = z
  .array(
    z.string().refine((tag) => languageTag(tag) !== null, tagsExpected),
    tagsExpected,
  )
  .min(1, tagsExpected);

/** Environment variables for speech recognition. */
export const speechEnvironment = {
  STT_MODEL_DIR: z
    .string()
    .min(1)
    .transform((path) => resolve(path))
    .optional(),
  STT_LANGUAGES: z.preprocess(
    (value) => (typeof value === 'string' ? value.split(/[\s,]+/).filter(Boolean) : value),
    languages.default(['en']),
  ),
};

type SpeechEnvironment = z.output<z.ZodObject<typeof speechEnvironment>>;

export const speechSettingsOf = ({ STT_MODEL_DIR: modelDir, STT_LANGUAGES: tags }: SpeechEnvironment) =>
  modelDir === undefined ? undefined : { modelDir, languages: tags.map((tag) => languageTag(tag) ?? tag) };
