/** A foreign key: rows of `table` need rows of `references`. */
export interface TableReference {
  readonly table: string;
  readonly references: string;
}

/**
 * Sorts tables so that each one comes after the tables it references. Independent tables keep their order.
 * @throws Error if references form a cycle
 */
export function fillOrder(tables: readonly string[], references: readonly TableReference[]): string[] {
  const orderedTables: string[] = [];
  let remainingTables = [...tables];
  while (remainingTables.length > 0) {
    const waits = (table: string) =>
      references.some(
        (reference) =>
          reference.table === table &&
          reference.references !== table &&
          remainingTables.includes(reference.references),
      );
    const next = remainingTables.filter((table) => !waits(table));
    if (next.length === 0)
      throw new Error(`tables reference each other in a cycle: ${remainingTables.join(', ')}`);
    orderedTables.push(...next);
    remainingTables = remainingTables.filter((table) => !next.includes(table));
  }
  return orderedTables;
}
