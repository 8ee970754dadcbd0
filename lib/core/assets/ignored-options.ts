/** Options of Studio API clients that have no effect here. */
interface IgnoredOptions {
  readonly projectId?: string;
  readonly c2pa?: boolean;
  readonly targetSegmentSizeSecs?: number;
}

/** One warning for each option that was sent and has no effect. */
function ignoredOptions({ projectId, c2pa, targetSegmentSizeSecs }: IgnoredOptions): string[] {
  return [
    ...(projectId === undefined ? [] : ['projectId was ignored: objects belong to the team of the key']),
    ...(c2pa ? ['c2pa was ignored: files are not signed'] : []),
    ...(targetSegmentSizeSecs === undefined
      ? []
      : ['targetSegmentSizeSecs was ignored: segments follow the keyframes of the file']),
  ];
}

/** The warnings as a response field; absent without warnings. */
export function warningsOf(options: IgnoredOptions): { readonly warnings?: string[] } {
  const warnings = ignoredOptions(options);
  return warnings.length === 0 ? {} : { warnings };
}
