import { expect, test } from 'vitest';
import { detectSpeechModel } from './model-files';

const vad = 'silero_vad.onnx';

test.each([
  [
    'sherpa-onnx-whisper-base.en',
    ['base.en-encoder.onnx', 'base.en-encoder.int8.onnx', 'base.en-decoder.int8.onnx', 'base.en-tokens.txt'],
    { kind: 'whisper', encoder: 'base.en-encoder.int8.onnx', tokens: 'base.en-tokens.txt' },
  ],
  [
    'sherpa-onnx-streaming-zipformer-en-2023-06-26',
    [
      'encoder-epoch-99-avg-1-chunk-16-left-128.onnx',
      'decoder-epoch-99-avg-1-chunk-16-left-128.onnx',
      'joiner-epoch-99-avg-1-chunk-16-left-128.onnx',
      'tokens.txt',
    ],
    { kind: 'streaming-transducer', joiner: 'joiner-epoch-99-avg-1-chunk-16-left-128.onnx' },
  ],
  [
    'sherpa-onnx-streaming-zipformer-fr-2023-04-14',
    [
      'encoder-epoch-29-avg-9.int8.onnx',
      'decoder-epoch-29-avg-9.onnx',
      'joiner-epoch-29-avg-9.onnx',
      'tokens.txt',
    ],
    { kind: 'streaming-transducer', encoder: 'encoder-epoch-29-avg-9.int8.onnx' },
  ],
  [
    'parakeet',
    ['encoder.int8.onnx', 'decoder.int8.onnx', 'joiner.int8.onnx', 'tokens.txt'],
    { kind: 'transducer', encoder: 'encoder.int8.onnx', decoder: 'decoder.int8.onnx' },
  ],
])('the model in the folder %s is detected', (folder, files, expected) => {
  expect(detectSpeechModel(folder, [...files, vad, 'README.md', 'test_wavs'])).toMatchObject({
    ...expected,
    vad,
  });
});

test.each([
  [[], 'an encoder'],
  [['encoder.onnx'], 'a decoder'],
  [['encoder.onnx', 'decoder.onnx'], 'tokens'],
  [['encoder.onnx', 'decoder.onnx', 'tokens.txt'], 'a detector of speech'],
])('the files %j lack %s', (files, missing) => {
  expect(detectSpeechModel('model', files)).toEqual({ missing: expect.stringContaining(missing) as string });
});
