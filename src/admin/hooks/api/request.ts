import {
  keepPreviousData,
  type QueryKey,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import { useCallback } from "react"
import { type AlsoAnswers, type ApiError, type Query, svcFetch } from "../../lib/client"
import { useFailureToast } from "../use-failure-toast"

/** What a page shows is read again when it is opened, also where the dashboard would call what it has fresh. */
const FRESH_MS = 2_000

/** Whatever is on the screen is read again: a show begins, a hold ends, a colleague changes something. */
const A_WHILE_MS = 15_000

type Reading<Answer> = {
  query?: Query
  /** After how many milliseconds it is looked at again, by what was answered, where something moves. */
  again?: (answer: Answer | undefined) => number | false | undefined
  enabled?: boolean
  alsoAnswers?: AlsoAnswers
  /** The page of a list stays until the next one has come. */
  keep?: boolean
}

/** Whatever the plugin's routes have answered. The path is the key, so that a path renews all that lies below it. */
const keyOf = (path = "", query?: Query): QueryKey => [
  "svc",
  ...path.split("/").filter(Boolean),
  ...(query ? [query] : []),
]

/** A question to a route of the plugin. */
export const questionOf = <Answer extends object>(
  path: string,
  { query, again, enabled, alsoAnswers }: Reading<Answer> = {},
) =>
  ({
    queryKey: keyOf(path, query),
    queryFn: ({ signal }) => svcFetch(path, { query, signal, alsoAnswers }),
    enabled,
    staleTime: FRESH_MS,
    refetchInterval: ({ state }) => again?.(state.data) || A_WHILE_MS,
    // Also by the same answer: times are shown as they are seen from now.
    notifyOnChangeProps: "all",
  }) satisfies UseQueryOptions<Answer, ApiError>

/** What a route of the plugin answers. */
export const useAnswer = <Answer extends object>(path: string, reading: Reading<Answer> = {}) =>
  useQuery<Answer, ApiError, Answer>({
    ...questionOf(path, reading),
    placeholderData: reading.keep ? keepPreviousData : undefined,
  })

/**
 * Reads again what is on the screen, whatever it is, and the rest when it is looked at. Nearly every press changes what
 * other cards say: a refused token holds the catalog up and makes no show ready.
 */
export function useRenew() {
  const client = useQueryClient()
  return useCallback(() => client.invalidateQueries({ queryKey: keyOf() }), [client])
}

/** Forgets what was answered below a path: it is gone. */
export function useForget() {
  const client = useQueryClient()
  return useCallback((path: string) => client.removeQueries({ queryKey: keyOf(path) }), [client])
}

type Pressed<Answer> = {
  /** Told also where the button is gone by then, as a line is whose problem was mended. */
  done?: (answer: Answer) => unknown
  /** The page shows the error itself. */
  showsError?: boolean
}

/** A press. Whatever comes of it is told, and what it may have changed is read again. */
export function usePress<Answer, Input = void>(
  run: (input: Input) => Promise<Answer>,
  { done, showsError = false }: Pressed<Answer> = {},
) {
  const fail = useFailureToast()
  const renew = useRenew()
  return useMutation<Answer, ApiError, Input>({
    mutationFn: run,
    onSuccess: done,
    onError: showsError ? undefined : fail,
    onSettled: renew,
  })
}

export const post = <Answer>(path: string, body: object = {}): Promise<Answer> =>
  svcFetch<Answer>(path, { method: "POST", body })

export const remove = <Answer>(path: string): Promise<Answer> =>
  svcFetch<Answer>(path, { method: "DELETE" })
