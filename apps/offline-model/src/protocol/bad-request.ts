/** The caller's fault: answered with 400 in the protocol's error shape. */
export class BadRequest extends Error {
  constructor(
    /** The field at fault, e.g. `messages[2].role`; null when the body itself is. */
    readonly param: string | null,
    problem: string,
  ) {
    super(param === null ? `The request body ${problem}.` : `'${param}' ${problem}.`);
  }
}

export interface ProtocolError {
  error: { message: string; type: string; param: string | null; code: string | null };
}

export function protocolError(
  message: string,
  options: { type?: string; param?: string | null; code?: string | null } = {},
): ProtocolError {
  return { error: { message, type: options.type ?? 'invalid_request_error', param: options.param ?? null, code: options.code ?? null } };
}
