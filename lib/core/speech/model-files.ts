/** The files of a sherpa-onnx model, with the names under which its projects publish them. */
export type SpeechModel = {
  readonly tokens: string;
  /** Voice activity detection model. */
  readonly vad: string;
} & (
  | { readonly kind: 'whisper'; readonly encoder: string; readonly decoder: string }
  | {
      /** `streaming` models read audio continuously, the others a whole passage. */
      readonly kind: 'transducer' | 'streaming-transducer';
      readonly encoder: string;
      readonly decoder: string;
      readonly joiner: string;
    }
);

/** File names of a part, ending with the precision of its numbers. */
const partPattern = (part: string) => new RegExp(String.raw`^(?:.*-)?${part}(?:[-.].*)?\.onnx$`);
const vadPattern = /^silero[-_]vad.*\.onnx$/;
const tokensPattern = /^(?:.*-)?tokens\.txt$/;
const streamingName = /streaming|-chunk-\d/;

/**
 * Identifies the model in a folder, or the missing part. Among several precisions of one file, int8 is chosen, because
 * it is two to four times as fast on a CPU.
 * @param folder name of the folder, which tells whether the model is a streaming one
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
  const kind =
    streamingName.test(folder) || streamingName.test(encoder) ? 'streaming-transducer' : 'transducer';
  return { kind, encoder, decoder, joiner, tokens, vad };
}
