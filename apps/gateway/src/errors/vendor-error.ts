import type { DescribedError } from './describe-error.js';

/** The error body that OpenAI-compatible clients read. */
export interface VendorError {
  error: { message: string; type: string; param: string | null; code: string; correlation_id?: string; details?: Record<string, unknown> };
}

const types: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
};

export const toVendorError = ({ status, slug, message, param, correlationId, details }: DescribedError): VendorError => ({
  error: {
    message,
    type: types[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: param ?? null,
    code: slug,
    ...(correlationId ? { correlation_id: correlationId } : {}),
    ...(details ? { details } : {}),
  },
});
