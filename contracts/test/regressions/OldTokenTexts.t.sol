// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {ILedger} from "../../src/interfaces/ILedger.sol";
import {SpotSetup} from "../spot/SpotSetup.sol";

/// Returns bytes32 as symbol and name, like MKR and others of its time.
contract OldToken {
    bytes32 public symbol = "MKR";
    bytes32 public name = "Maker";
    uint256 public decimals = 18;
}

/// A token whose symbol and name are bytes32 could not be listed.
contract OldTokenTextsTest is SpotSetup {
    function test_a_token_with_texts_in_bytes32_is_listed() public {
        OldToken old = new OldToken();
        vm.expectEmit(address(spot));
        emit ILedger.TokenListed(address(old), "MKR", "Maker", 18);
        vm.prank(OWNER);
        uint32 listed =
            spot.list("MKR-USDC", address(old), address(usdc), 1e4, LOT, VALUE_MIN, VALUE_MAX);
        (address base,) = spot.tokensOf(listed);
        vm.assertEq(base, address(old));
    }
}
