import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { detectSpeechModel, type SpeechModel } from '@/lib/core/speech/model-files';

/**
 * Reads which model is in a folder.
 * @throws Error that names missing files; errors of the file system
 */
export function readModel(folder: string): SpeechModel {
  const model = detectSpeechModel(basename(folder), readdirSync(folder));
  if ('missing' in model) throw new Error(`the folder lacks ${model.missing}`);
  return model;
}

/** Why the model in a folder cannot be used, for the log; null if its files exist. */
export function modelProblemOf(folder: string): string | null {
  try {
    readModel(folder);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
