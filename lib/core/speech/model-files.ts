/** The files of a model for sherpa-onnx, named as its projects publish them. */
export type SpeechModel = {
  readonly tokens: string;
  /** Finds where speech is. */
  readonly vad: string;
} & (
  | { readonly kind: 'whisper'; readonly encoder: string; readonly decoder: string }
  | {
      /** `streaming` models read the audio as it comes, the others a whole piece at once. */
      readonly kind: 'transducer' | 'streaming-transducer';
      readonly encoder: string;
      readonly decoder: string;
      readonly joiner: string;
    }
);

/** Names that a file of each part has, with the precision of its numbers at the end. */
const partPattern = (part: string) => new RegExp(String.raw`^(?:.*-)?${part}(?:[-.].*)?\.onnx$`);
const vadPattern = /^silero[-_]vad.*\.onnx$/;
const tokensPattern = /^(?:.*-)?tokens\.txt$/;
const streaming = /streaming|-chunk-\d/;

/**
 * Recognises the model in a folder, or says what is missing. With several precisions of one file, int8 is taken: it is
 * two to four times as fast on a processor.
 * @param folder name of the folder, which says whether a model is a streaming one
 */
export function speechModelOf(
  folder: string,
  files: readonly string[],
): SpeechModel | { readonly missing: string } {
  const find = (pattern: RegExp) => {
    const matches = files.filter((file) => pattern.test(file)).sort();
    return matches.find((file) => file.includes('int8')) ?? matches[0];
  };
  const [encoder, decoder, joiner] = ['encoder', 'decoder', 'joiner'].map((part) => find(partPattern(part)));
  const [tokens, vad] = [find(tokensPattern), find(vadPattern)];
  if (encoder === undefined) return { missing: 'an encoder (*encoder*.onnx)' };
  if (decoder === undefined) return { missing: 'a decoder (*decoder*.onnx)' };
  if (tokens === undefined) return { missing: 'tokens (*tokens.txt)' };
  if (vad === undefined) return { missing: 'a detector of speech (silero_vad.onnx)' };
  if (joiner === undefined) return { kind: 'whisper', encoder, decoder, tokens, vad };
  const kind = streaming.test(folder) || streaming.test(encoder) ? 'streaming-transducer' : 'transducer';
  return { kind, encoder, decoder, joiner, tokens, vad };
}
