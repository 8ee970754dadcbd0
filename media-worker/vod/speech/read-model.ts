import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { speechModelOf, type SpeechModel } from '@/lib/core/speech/model-files';

/**
 * The model in a folder.
 * @throws Error that names missing files
 */
export function readModel(folder: string): SpeechModel {
  const model = speechModelOf(basename(folder), readdirSync(folder));
  if ('missing' in model) throw new Error(`the folder lacks ${model.missing}`);
  return model;
}

/** Why the model in a folder cannot be used, for the log; null if its files exist. */
export function problemOfModel(folder: string): string | null {
  try {
    readModel(folder);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
