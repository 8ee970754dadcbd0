/** Options of Studio API clients that have no effect here. */
interface IgnoredOptions {
  readonly projectId?: string;
  readonly c2pa?: boolean;
  readonly targetSegmentSizeSecs?: number;
}

/** Warnings about the options that were sent and have no effect, one each. */
function listWarnings({ projectId, c2pa, targetSegmentSizeSecs }: IgnoredOptions): string[] {
  return [
    ...(projectId === undefined ? [] : ['projectId was ignored: objects belong to the team of the key']),
    ...(c2pa ? ['c2pa was ignored: files are not signed'] : []),
    ...(targetSegmentSizeSecs === undefined
      ? []
      : ['targetSegmentSizeSecs was ignored: segments follow the keyframes of the file']),
  ];
}

/** The response field with the warnings about ignored options; no field without warnings. */
export function ignoredOptionWarnings(options: IgnoredOptions): { readonly warnings?: string[] } {
  const warnings = listWarnings(options);
  return warnings.length === 0 ? {} : { warnings };
}
