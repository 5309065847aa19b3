export interface Lot {
  quantity: number;
  unitCost: number;
}

export class OutOfStockError extends Error {
  readonly missing: number;

  constructor(sku: string, missing: number) {
    super(`${missing} short of ${sku}`);
    this.name = "OutOfStockError";
    this.missing = missing;
  }
}

/** Stock valued first in, first out. */
export class Stock {
  private readonly lots = new Map<string, Lot[]>();

  receive(sku: string, quantity: number, unitCost: number): void {
    if (quantity <= 0) throw new RangeError("quantity must be positive");
    const lots = this.lots.get(sku) ?? [];
    lots.push({ quantity, unitCost });
    this.lots.set(sku, lots);
  }

  onHand(sku: string): number {
    return (this.lots.get(sku) ?? []).reduce((sum, lot) => sum + lot.quantity, 0);
  }

  value(): number {
    let sum = 0;
    for (const lots of this.lots.values()) {
      for (const lot of lots) sum += lot.quantity * lot.unitCost;
    }
    return sum;
  }

  /** Takes from the oldest lots first and returns the cost of what was taken. */
  take(sku: string, quantity: number): number {
    const lots = this.lots.get(sku) ?? [];
    let wanted = quantity;
    let cost = 0;
    while (wanted > 0) {
      const lot = lots[0];
      if (!lot) throw new OutOfStockError(sku, wanted);
      const used = Math.min(lot.quantity, wanted);
      cost += used * lot.unitCost;
      wanted -= used;
      lot.quantity -= used;
      if (lot.quantity === 0) lots.shift();
    }
    return cost;
  }
}
