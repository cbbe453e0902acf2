import {
  keepPreviousData,
  type QueryKey,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import { type ApiError, type Query, svcFetch } from "../../lib/client"

type Reading<Answer> = {
  query?: Query
  /** After how many milliseconds it is looked at again, by what was answered. */
  again?: (answer: Answer | undefined) => number | false
  enabled?: boolean
  /** A status that carries an answer, beside 2xx. */
  alsoAnswers?: number
}

/** What a route of the plugin answers. */
export function useAnswer<Answer extends object>(
  queryKey: QueryKey,
  path: string,
  { query, again = () => false, enabled, alsoAnswers }: Reading<Answer> = {},
) {
  return useQuery<Answer, ApiError>({
    enabled,
    queryKey,
    queryFn: ({ signal }) => svcFetch(path, { query, signal, alsoAnswers }),
    refetchInterval: ({ state }) => again(state.data),
  })
}

/** A page of a list; the page before stays until it has come. */
export function useList<Answer extends object>(
  queryKey: QueryKey,
  path: string,
  query: Query,
  { again = () => false, enabled }: Omit<Reading<Answer>, "query"> = {},
) {
  return useQuery<Answer, ApiError, Answer>({
    enabled,
    queryKey,
    queryFn: ({ signal }) => svcFetch<Answer>(path, { query, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => again(state.data),
  })
}

/** A press. Whatever comes of it, what it may have changed is read again. */
export function usePress<Answer, Input = void>(
  run: (input: Input) => Promise<Answer>,
  renews: readonly QueryKey[] = [],
) {
  const client = useQueryClient()
  return useMutation<Answer, ApiError, Input>({
    mutationFn: run,
    onSettled: () => Promise.all(renews.map((queryKey) => client.invalidateQueries({ queryKey }))),
  })
}

export const post = <Answer>(path: string, body: object = {}): Promise<Answer> =>
  svcFetch<Answer>(path, { method: "POST", body })
