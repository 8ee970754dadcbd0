/** The names of the files of a sherpa-onnx model, as its projects publish them. */
export type SpeechModel = {
  /** File with the vocabulary of the model. */
  readonly tokens: string;
  /** Voice activity detection model. */
  readonly vad: string;
} & (
  | { readonly kind: 'whisper'; readonly encoder: string; readonly decoder: string }
  | {
      /** Streaming models read audio continuously, the other models read whole passages. */
      readonly kind: 'transducer' | 'streaming-transducer';
      readonly encoder: string;
      readonly decoder: string;
      readonly joiner: string;
    }
);

/** Pattern of the file names of a part of a model. They may end with the precision of its numbers. */
const partPattern = (part: string) => new RegExp(String.raw`^(?:.*-)?${part}(?:[-.].*)?\.onnx$`);
const vadPattern = /^silero[-_]vad.*\.onnx$/;
const tokensPattern = /^(?:.*-)?tokens\.txt$/;
const streamingPattern = /streaming|-chunk-\d/;

/**
 * Detects the model in a folder. If a file exists in several precisions, int8 is chosen, because it is two to four times as
 * fast on a CPU.
 * @param folder name of the folder, which tells whether the model is a streaming model
 * @param files names of the files in the folder
 * @returns the model, or what is missing
 */
export function detectSpeechModel(
  folder: string,
  files: readonly string[],
): SpeechModel | { readonly missing: string } {
  const findFile = (pattern: RegExp) => {
    const matches = files.filter((file) => pattern.test(file)).sort();
    return matches.find((file) => file.includes('int8')) ?? matches[0];
  };
  const [encoder, decoder, joiner] = ['encoder', 'decoder', 'joiner'].map((part) =>
    findFile(partPattern(part)),
  );
  const [tokens, vad] = [findFile(tokensPattern), findFile(vadPattern)];
  if (encoder === undefined) return { missing: 'an encoder (*encoder*.onnx)' };
  if (decoder === undefined) return { missing: 'a decoder (*decoder*.onnx)' };
  if (tokens === undefined) return { missing: 'tokens (*tokens.txt)' };
  if (vad === undefined) return { missing: 'a detector of speech (silero_vad.onnx)' };
  if (joiner === undefined) return { kind: 'whisper', encoder, decoder, tokens, vad };
  const kind =
    streamingPattern.test(folder) || streamingPattern.test(encoder) ? 'streaming-transducer' : 'transducer';
  return { kind, encoder, decoder, joiner, tokens, vad };
}
