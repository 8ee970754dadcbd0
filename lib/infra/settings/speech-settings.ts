import { z } from 'zod';
import { canonicalizeLanguageTag } from '@/lib/core/captions/track-language';
import { areSet, withoutPrefix } from './names';
import { filePath, type Values } from './variable-types';

const tagsExpected = { error: 'BCP 47 tags separated by commas, for example en,de' };
const languageTag = z
  .string()
  .refine((text) => canonicalizeLanguageTag(text) !== null, tagsExpected)
  .overwrite((text) => canonicalizeLanguageTag(text) ?? text);

/** Speech recognition. */
export const speechVariables = {
  STT_MODEL_DIR: filePath
    .optional()
    .describe(
      'folder of a model that [recognises speech](#subtitles-from-speech); without it, the server offers no generated subtitles',
    ),
  STT_LANGUAGES: z
    .codec(z.string(), z.array(languageTag).min(1, tagsExpected).readonly(), {
      decode: (text) => text.split(/[\s,]+/).filter(Boolean),
      encode: (tags) => tags.join(','),
    })
    .default(['en'])
    .describe('languages that this model understands, as BCP 47 tags separated by commas'),
};

/** Undefined if speech recognition is off. */
export const speechSettings = (values: Values<typeof speechVariables>) =>
  areSet(values, ['STT_MODEL_DIR']) ? withoutPrefix(values, 'STT_') : undefined;
