import { beginExport, completeExport, openExportSecrets, readWorkInput, type WorkInput } from '@/lib/assets';
import type { ExportRequest } from '@/lib/core/export-params';
import { exportToUrl } from './export-to-url';
import { TaskFailure, type TaskHandler } from './task-job';

/** Copies the file of an asset to where its owner wants it (specification §4.4). */
export const exportAssetJob: TaskHandler = async (job) => {
  const { ctx, task } = job;
  const input: WorkInput | null = await readWorkInput(ctx, task);
  if (!input) throw new TaskFailure('the asset to export is gone');
  const { custom } = (task.params as { export: ExportRequest<never> }).export;
  const secrets = openExportSecrets(ctx, task);
  await beginExport(ctx, task);
  if (!custom) throw new TaskFailure('there is no destination to export to');
  await exportToUrl(job, input, { ...custom, ...secrets });
  // Of the answer only that it was a good one: its body could be a page of somebody's inner network.
  await completeExport(ctx, task, { custom: { url: custom.url } });
};
