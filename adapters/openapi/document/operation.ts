/** How the values of one parameter are written (OpenAPI, "Style Values"). */
export type ParameterStyle =
  | 'simple'
  | 'label'
  | 'matrix'
  | 'form'
  | 'spaceDelimited'
  | 'pipeDelimited'
  | 'deepObject'
  | 'json';

export type ParameterPlace = 'path' | 'query' | 'header' | 'cookie';

/** What a request is made of for one parameter, as plain data. */
export interface OperationParameter {
  /** The member of the arguments that it is taken from. */
  readonly property: string;
  readonly name: string;
  readonly place: ParameterPlace;
  readonly style: ParameterStyle;
  readonly isExploded: boolean;
  /** Characters that are reserved in URLs stay as they are. */
  readonly allowsReserved: boolean;
  readonly isRequired: boolean;
}

/** What a call of one operation is made of, as plain data that crosses threads. */
export interface Operation {
  /** Upper case. */
  readonly method: HttpMethod;
  /** With its parameters in braces, below the base URL. */
  readonly path: string;
  readonly parameters: readonly OperationParameter[];
  /** Null for an operation that takes no body that can be sent. */
  readonly body: OperationBody | null;
}

export interface OperationBody {
  readonly mediaType: string;
  readonly isRequired: boolean;
  /** Of a form: the members whose values are written as the document says; null for JSON. */
  readonly form: readonly WrittenMember[] | null;
}

export type WrittenMember = Pick<OperationParameter, 'name' | 'style' | 'isExploded'>;

/** The member of the arguments that holds a body. */
export const BODY = 'body';

export const HTTP_METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH'] as const;
export type HttpMethod = (typeof HTTP_METHODS)[number];

/** Methods that change nothing (RFC 9110), as far as APIs are used by them. */
export function isReading(method: HttpMethod): boolean {
  return method === 'GET' || method === 'HEAD';
}
