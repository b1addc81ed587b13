// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../../src/Accounts.sol";
import {PushOracle} from "../../../src/PushOracle.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {IPerps} from "../../../src/interfaces/IPerps.sol";
import {AdversaryEscapes} from "./AdversaryEscapes.sol";
import {AdversarySchemes} from "./AdversarySchemes.sol";

/// Simulates honest traders and an adversary with every scheme.
contract SchemeHandler is AdversaryEscapes {
    constructor(
        Accounts accounts_,
        PushOracle oracle_,
        IPerps perps_,
        DevToken usdc_,
        address pusher,
        address owner
    ) AdversarySchemes(accounts_, oracle_, perps_, usdc_, pusher) {
        _startSource(owner);
    }
}
