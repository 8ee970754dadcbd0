interface KeyAccess {
  allowedOrigins: readonly string[];
  fullAccess: boolean;
}

/** How a key is called in the list (specification §5.3–5.6). */
export function keyKind({ allowedOrigins, fullAccess }: KeyAccess): string {
  if (allowedOrigins.length === 0) return 'Backend';
  return fullAccess ? 'Browser, full access' : 'Browser';
}
