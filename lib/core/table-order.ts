/** A foreign key: rows of `table` need rows of `references`. */
export interface TableReference {
  readonly table: string;
  readonly references: string;
}

/**
 * Tables in an order in which they can be filled: each one after those that it references. Tables that do not depend on
 * each other keep their order. @throws Error if tables reference each other in a circle
 */
export function fillOrder(tables: readonly string[], references: readonly TableReference[]): string[] {
  const ordered: string[] = [];
  let left = [...tables];
  while (left.length > 0) {
    const waits = (table: string) =>
      references.some(
        (one) => one.table === table && one.references !== table && left.includes(one.references),
      );
    const next = left.filter((table) => !waits(table));
    if (next.length === 0)
      throw new Error(`These tables reference each other in a circle: ${left.join(', ')}`);
    ordered.push(...next);
    left = left.filter((table) => !next.includes(table));
  }
  return ordered;
}
