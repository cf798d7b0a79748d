// The functions of libpq, which is loaded when the first PostgreSQL database is asked for.
#pragma once

#include <libpq-fe.h>

#include "base/late_library.hpp"

namespace emend {

inline LateLibrary libpq("libpq.so.5", "libpq5");

inline const LateFunction<decltype(&::PQbackendPID)> PQbackendPID{libpq, "PQbackendPID"};
inline const LateFunction<decltype(&::PQclear)> PQclear{libpq, "PQclear"};
inline const LateFunction<decltype(&::PQcmdStatus)> PQcmdStatus{libpq, "PQcmdStatus"};
inline const LateFunction<decltype(&::PQconnectdbParams)> PQconnectdbParams{libpq, "PQconnectdbParams"};
inline const LateFunction<decltype(&::PQconnectionNeedsPassword)> PQconnectionNeedsPassword{
    libpq, "PQconnectionNeedsPassword"};
inline const LateFunction<decltype(&::PQconnectionUsedPassword)> PQconnectionUsedPassword{
    libpq, "PQconnectionUsedPassword"};
inline const LateFunction<decltype(&::PQconninfoFree)> PQconninfoFree{libpq, "PQconninfoFree"};
inline const LateFunction<decltype(&::PQconninfoParse)> PQconninfoParse{libpq, "PQconninfoParse"};
inline const LateFunction<decltype(&::PQconsumeInput)> PQconsumeInput{libpq, "PQconsumeInput"};
inline const LateFunction<decltype(&::PQerrorMessage)> PQerrorMessage{libpq, "PQerrorMessage"};
inline const LateFunction<decltype(&::PQexec)> PQexec{libpq, "PQexec"};
inline const LateFunction<decltype(&::PQexecParams)> PQexecParams{libpq, "PQexecParams"};
inline const LateFunction<decltype(&::PQexecPrepared)> PQexecPrepared{libpq, "PQexecPrepared"};
inline const LateFunction<decltype(&::PQfinish)> PQfinish{libpq, "PQfinish"};
inline const LateFunction<decltype(&::PQfreemem)> PQfreemem{libpq, "PQfreemem"};
inline const LateFunction<decltype(&::PQftype)> PQftype{libpq, "PQftype"};
inline const LateFunction<decltype(&::PQgetlength)> PQgetlength{libpq, "PQgetlength"};
inline const LateFunction<decltype(&::PQgetvalue)> PQgetvalue{libpq, "PQgetvalue"};
inline const LateFunction<decltype(&::PQnotifies)> PQnotifies{libpq, "PQnotifies"};
inline const LateFunction<decltype(&::PQntuples)> PQntuples{libpq, "PQntuples"};
inline const LateFunction<decltype(&::PQprepare)> PQprepare{libpq, "PQprepare"};
inline const LateFunction<decltype(&::PQresultErrorField)> PQresultErrorField{libpq, "PQresultErrorField"};
inline const LateFunction<decltype(&::PQresultErrorMessage)> PQresultErrorMessage{libpq,
                                                                                  "PQresultErrorMessage"};
inline const LateFunction<decltype(&::PQresultStatus)> PQresultStatus{libpq, "PQresultStatus"};
inline const LateFunction<decltype(&::PQserverVersion)> PQserverVersion{libpq, "PQserverVersion"};
inline const LateFunction<decltype(&::PQsetNoticeProcessor)> PQsetNoticeProcessor{libpq,
                                                                                  "PQsetNoticeProcessor"};
inline const LateFunction<decltype(&::PQsocket)> PQsocket{libpq, "PQsocket"};
inline const LateFunction<decltype(&::PQstatus)> PQstatus{libpq, "PQstatus"};
inline const LateFunction<decltype(&::PQtransactionStatus)> PQtransactionStatus{libpq, "PQtransactionStatus"};

} // namespace emend
