/** What travels as `{"error": …}`. Kinds: refusal, unavailable, breach, defect. */
export class Refusal extends Error {
  constructor(kind, slug, message, details) {
    super(message);
    Object.assign(this, { kind, slug, details });
  }

  toWire() {
    const { kind, slug, message, details } = this;
    return { kind, slug, message, ...(details && { details }) };
  }
}

export const refuse = (slug, message, details) => new Refusal('refusal', slug, message, details);
export const unavailable = (slug, message) => new Refusal('unavailable', slug, message);
export const breach = (slug, message) => new Refusal('breach', slug, message);
