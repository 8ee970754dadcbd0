interface KeyAccess {
  allowedOrigins: readonly string[];
  fullAccess: boolean;
}

/** The label of a key in the list. */
export function keyKind({ allowedOrigins, fullAccess }: KeyAccess): string {
  if (allowedOrigins.length === 0) return 'Backend';
  return fullAccess ? 'Browser, full access' : 'Browser';
}
